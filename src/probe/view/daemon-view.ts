import type { ProbeApi } from '../../contracts/probe-plan.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { BudgetPeriod } from '../../core/budget-period.ts';
import type { BillView } from './bill-view.ts';
import type { DayView } from './day-view.ts';
import type { ProbeRun } from './probe-run.ts';

/** What the daemon's own pages show. Every text in it is free of secrets. */
export interface DaemonView {
  readonly version: string;
  readonly state: 'starting' | 'ready' | 'draining';
  /** Why it is not ready; null where it is. */
  readonly not_ready: string | null;
  readonly started_ms: number;
  readonly now_ms: number;
  readonly reload: {
    readonly successful: boolean;
    readonly last_success_ms: number;
    /** What was wrong with the last file, with its place. */
    readonly problem: string | null;
  };
  readonly targets: readonly TargetView[];
}

export interface TargetView {
  readonly name: string;
  readonly root: string;
  readonly probes: readonly ProbeView[];
  /** Null where no paid probe is allowed. */
  readonly budget: BudgetView | null;
  readonly tasks_open: readonly {
    readonly probe: string;
    readonly api: ProbeApi;
    readonly id: string;
    readonly created_ms: number;
    readonly status: string;
  }[];
  /** In the site's own units, which are never converted. */
  readonly credit_units: bigint | null;
  /** Of what own calls were charged; null until they were held against records. */
  readonly audit: BillView | null;
}

export type BudgetView = Readonly<Record<BudgetPeriod, SpentView>>;

export interface SpentView {
  /** Null where it is not known. */
  readonly spent: PicoUsd | null;
  /** Null where the period has no cap. */
  readonly limit: PicoUsd | null;
}

export interface ProbeView {
  readonly name: string;
  readonly api: ProbeApi;
  readonly model: string | null;
  readonly stream: boolean;
  readonly interval_ms: number;
  /** The newest last. */
  readonly runs: readonly ProbeRun[];
  readonly last_success_ms: number | null;
  readonly next_ms: number | null;
  /** Why it does not run now, such as `budget` or `retry_after`; null where it does. */
  readonly held: string | null;
  /** When the run began that is under way; null where none is. */
  readonly running_since_ms: number | null;
  /** By which price its last call was reserved; null where it is free or was not called yet. */
  readonly price: 'known' | 'assumed' | 'unknown' | null;
  readonly day: DayView;
}
