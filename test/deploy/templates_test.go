// Package deploy holds the templates of scheduled runs to the types and tools that will read them.
package deploy

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

const scheduled = "../../deploy/scheduled"

// documents of the manifest, by kind and name, decoded strictly: a field that the API does not know is an error.
func documents(t *testing.T) (map[string]*batchv1.CronJob, *corev1.PersistentVolumeClaim) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(scheduled, "kubernetes/weighbridge.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	jobs := map[string]*batchv1.CronJob{}
	var claim *corev1.PersistentVolumeClaim
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return jobs, claim
		}
		if err != nil {
			t.Fatal(err)
		}
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(document, &head); err != nil {
			t.Fatal(err)
		}
		switch head.APIVersion + " " + head.Kind {
		case "batch/v1 CronJob":
			job := &batchv1.CronJob{}
			if err := yaml.UnmarshalStrict(document, job); err != nil {
				t.Fatalf("CronJob: %v", err)
			}
			jobs[job.Name] = job
		case "v1 PersistentVolumeClaim":
			claim = &corev1.PersistentVolumeClaim{}
			if err := yaml.UnmarshalStrict(document, claim); err != nil {
				t.Fatalf("PersistentVolumeClaim: %v", err)
			}
		default:
			t.Fatalf("expected CronJobs and a volume claim, found %s %s", head.APIVersion, head.Kind)
		}
	}
}

func TestSecretsAreFilesAndTheStateStays(t *testing.T) {
	jobs, claim := documents(t)
	if claim == nil {
		t.Fatal("no volume claim")
	}
	// Both pods have one host name, by which locks of the dead are taken over: two at once must not be.
	if modes := claim.Spec.AccessModes; len(modes) != 1 || modes[0] != corev1.ReadWriteOncePod {
		t.Errorf("access modes are %v", modes)
	}
	if jobs["weighbridge-audit"] == nil || jobs["weighbridge-reconcile"] == nil || len(jobs) != 2 {
		t.Fatalf("expected the CronJobs of audit and reconcile, found %d", len(jobs))
	}
	for name, job := range jobs {
		template := job.Spec.JobTemplate.Spec.Template.Spec
		if template.Hostname != "weighbridge" {
			t.Errorf("%s: host name is %q", name, template.Hostname)
		}
		sources := map[string]corev1.VolumeSource{}
		for _, volume := range template.Volumes {
			sources[volume.Name] = volume.VolumeSource
		}
		if data := sources["data"].PersistentVolumeClaim; data == nil || data.ClaimName != claim.Name {
			t.Errorf("%s: the state does not stand on the volume", name)
		}
		if sources["credentials"].Secret == nil {
			t.Errorf("%s: credentials are no Secret", name)
		}
		mounts := map[string]bool{}
		for _, mount := range template.Containers[0].VolumeMounts {
			mounts[mount.Name] = true
		}
		if !mounts["data"] || !mounts["credentials"] || !mounts["config"] {
			t.Errorf("%s: mounts are %v", name, mounts)
		}
		for _, variable := range template.Containers[0].Env {
			if variable.ValueFrom != nil {
				t.Errorf("%s: %s is no plain value: a secret goes through a file", name, variable.Name)
			}
		}
		if len(template.Containers[0].EnvFrom) > 0 {
			t.Errorf("%s: variables come from elsewhere", name)
		}
	}
}

func TestWorkflowsPassActionlint(t *testing.T) {
	var files []string
	for _, pattern := range []string{filepath.Join(scheduled, "github/*.yml"), "../../.github/workflows/*.yml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) != 5 {
		t.Fatalf("expected 5 workflows, found %v", files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range lint(t, file, text) {
			t.Error(problem)
		}
	}
}

func TestActionlintSeesAFault(t *testing.T) {
	broken := []byte("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    stepps: []\n")
	if len(lint(t, "broken.yml", broken)) == 0 {
		t.Error("a workflow with an unknown key passes")
	}
}

func TestAWorkflowMayUseTheActionWithItsInputsAlone(t *testing.T) {
	project, err := actionlint.NewProject("../..")
	if err != nil {
		t.Fatal(err)
	}
	const workflow = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ./\n        id: w\n" +
		"        with:\n          INPUT: run\n      - run: echo \"${{ steps.w.outputs.OUTPUT }}\"\n"
	for input, faults := range map[string]int{"command": 0, "api-key": 1} {
		for output, more := range map[string]int{"exit-status": 0, "status": 1} {
			text := strings.NewReplacer("INPUT", input, "OUTPUT", output).Replace(workflow)
			found := lintIn(t, project, "../../.github/workflows/x.yml", []byte(text))
			if len(found) != faults+more {
				t.Errorf("%s, %s: %v", input, output, found)
			}
		}
	}
}

func lint(t *testing.T, file string, text []byte) []*actionlint.Error { return lintIn(t, nil, file, text) }

func lintIn(t *testing.T, project *actionlint.Project, file string, text []byte) []*actionlint.Error {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{ConfigFile: "actionlint.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint(file, text, project)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
