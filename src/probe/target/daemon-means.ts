import type { SecretValues } from '../../client/secrets/secret-values.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { ProbePlan } from '../../contracts/probe-plan.ts';
import type { ProbeLog } from '../log/probe-log.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';
import type { OpenTargetWatch } from '../watch/target-watch.ts';

/** What all targets of the daemon share. */
export interface DaemonMeans {
  readonly plan: Pick<ProbePlan, 'state_dir' | 'reconcile_ms'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly http: ResolvedConfig['http'];
  readonly billing: ResolvedConfig['billing'];
  readonly archive_days: number;
  readonly clock: ProbeClock;
  readonly metrics: ProbeMetricsRegistry;
  readonly log: ProbeLog;
  readonly secrets: SecretValues;
  /** Null: documents are read and not watched. */
  readonly openWatch: OpenTargetWatch | null;
}
