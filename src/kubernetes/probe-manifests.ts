import { claim } from './claim.ts';
import { configMap } from './config-map.ts';
import { type Manifest, objectLabels } from './manifest.ts';
import { probeDeployment } from './probe-deployment.ts';
import { probeService } from './probe-service.ts';
import { DAEMON, DAEMON_CONFIG, type ProbeWatch } from './probe-watch.ts';
import { prometheusRule } from './prometheus-rule.ts';
import { serviceMonitor } from './service-monitor.ts';

/** The daemon, what scrapes it, and what shows and judges its metrics. */
export function probeManifests(watch: ProbeWatch): readonly Manifest[] {
  const labels = objectLabels('probe');
  return [
    {
      file: 'probe-config.yaml',
      about: 'What the daemon watches. It holds no secret.',
      object: configMap(DAEMON_CONFIG, labels, { 'weighbridge.yaml': watch.config }),
    },
    {
      file: 'probe-state.yaml',
      about: 'What the daemon spent and which tasks are open. Without it a restart would begin anew.',
      object: claim(DAEMON, labels, 'ReadWriteOncePod', '10Gi'),
    },
    {
      file: 'probe.yaml',
      about: 'The daemon. One replica: two would spend twice.',
      object: probeDeployment(watch),
    },
    {
      file: 'probe-service.yaml',
      about: 'Its name is the job that the rules look for.',
      object: probeService(),
    },
    {
      file: 'probe-monitor.yaml',
      about: 'Scrapes the daemon, by the Prometheus operator. Yours may want a label of its own.',
      object: serviceMonitor(),
    },
    {
      file: 'rules.yaml',
      about: 'Records and alerts, by the Prometheus operator. Yours may want a label of its own.',
      object: prometheusRule(watch.ruleGroups),
    },
    ...Object.entries(watch.dashboards).map(([name, text]) => dashboard(name, text)),
  ];
}

/** Grafana's sidecar takes up each ConfigMap with this label. */
function dashboard(name: string, text: string): Manifest {
  return {
    file: `dashboard-${name.replace(/^weighbridge-|\.json$/g, '')}.yaml`,
    about: 'A dashboard, for the sidecar of Grafana.',
    object: configMap(
      name.replace(/\.json$/, ''),
      { ...objectLabels('probe'), grafana_dashboard: '1' },
      { [name]: text },
    ),
  };
}
