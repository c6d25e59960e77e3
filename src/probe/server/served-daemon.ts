import type { DaemonView } from '../view/daemon-view.ts';
import type { MetricsFormat } from './accepted-format.ts';

/** What the server tells and does, by the daemon. */
export interface ServedDaemon {
  view(): DaemonView;
  render(format: MetricsFormat): Promise<{ readonly contentType: string; readonly body: string }>;
  reload(): Promise<{ readonly ok: true } | { readonly ok: false; readonly problem: string }>;
  /** YAML of what is in force, secrets masked. */
  config(): string;
  /** Settles when the run has ended and stands in the view, or was skipped. */
  runNow(target: string, probe: string): Promise<unknown>;
}
