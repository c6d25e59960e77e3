package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

const probeConfig = `version: 1
probe:
  budget: { usd_per_hour: "0.10", usd_per_day: "1.00" }
  targets: [{ name: main, url: "https://gateway.example", key: env:WEIGHBRIDGE_API_KEY }]
`

// probeManifests writes what `weighbridge k8s --probe` gives, and returns the folder.
func probeManifests(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	config, out := filepath.Join(dir, "weighbridge.yaml"), filepath.Join(dir, "k8s")
	if err := os.WriteFile(config, []byte(probeConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("../../node_modules/.bin/node", "../../bin/weighbridge.mjs",
		"k8s", "--probe", "--config", config, "--image", "weighbridge:1", "--out", out)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return out
}

// A member that the Prometheus operator does not know is an error: its types are decoded strictly.
func TestMonitorAndRulesFitThePrometheusOperator(t *testing.T) {
	out := probeManifests(t)
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	monitor := monitoring.ServiceMonitor{}
	if err := yaml.UnmarshalStrict(read("probe-monitor.yaml"), &monitor); err != nil {
		t.Errorf("ServiceMonitor: %v", err)
	}
	if len(monitor.Spec.Endpoints) != 1 || monitor.Spec.Endpoints[0].Port != "metrics" {
		t.Errorf("endpoints are %v", monitor.Spec.Endpoints)
	}
	rules := monitoring.PrometheusRule{}
	text := read("rules.yaml")
	if err := yaml.UnmarshalStrict(text, &rules); err != nil {
		t.Errorf("PrometheusRule: %v", err)
	}
	if len(rules.Spec.Groups) < 2 || len(rules.Spec.Groups[0].Rules) == 0 {
		t.Errorf("%d groups of rules", len(rules.Spec.Groups))
	}
	broken := bytes.Replace(text, []byte("expr:"), []byte("expression:"), 1)
	if yaml.UnmarshalStrict(broken, &monitoring.PrometheusRule{}) == nil {
		t.Error("rules with an unknown member pass")
	}
}
