/** Amounts of a scheduled run that are exported: those that cannot be below 0. */
export const SCHEDULED_RUN_LINES = ['charged', 'expected', 'certain_over', 'certain_under'] as const;
export type ScheduledRunLine = (typeof SCHEDULED_RUN_LINES)[number];

export const SCHEDULED_RUN_SCHEMA = 'weighbridge.scheduled-run/1';

/** The last run of a schedule that came to a verdict, as `<state>/<target>/scheduled-run.json` keeps it. */
export interface ScheduledRun {
  readonly run_id: string;
  /** Name of the target in that run. */
  readonly target: string;
  readonly began_at: string;
  readonly ended_at: string;
  /** The next one is to end so long after this one. */
  readonly every_ms: number;
  readonly exit_status: number;
  /** USD as decimals; null where the amount is not known. */
  readonly usd: Readonly<Record<ScheduledRunLine, string | null>>;
}
