import type { SecretUse } from './secret-use.ts';

/** The daemon and what watches it. */
export interface ProbeWatch {
  readonly image: string;
  /** The configuration as it was given: a daemon reads parts of it that no run does. */
  readonly config: string;
  readonly secret: SecretUse;
  /** How long the daemon lets probes end. */
  readonly drainMs: number;
  /** Content of the generated rules, as Prometheus reads them. */
  readonly ruleGroups: readonly unknown[];
  /** Content of each dashboard, by the name of its file. */
  readonly dashboards: Readonly<Record<string, string>>;
}

/** The rules look for it as the job: the ServiceMonitor takes the job from the name of the service. */
export const DAEMON = 'weighbridge-probe';
export const DAEMON_CONFIG = `${DAEMON}-config`;
export const METRICS_PORT = 9464;
