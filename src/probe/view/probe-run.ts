import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { PHASES } from '../../contracts/metrics/label-values.ts';
import type { Blame, ErrorType } from '../../contracts/outcome.ts';
import type { PicoUsd } from '../../core/amount.ts';

/** Parts of a request's time, ms; null where the run had no such part, as with a connection that stood already. */
type RunPhases = Readonly<Record<(typeof PHASES)[number], number | null>>;

/** One run of a probe that has ended, of whatever api. What the target did is data. */
export interface ProbeRun {
  readonly target: string;
  readonly probe: string;
  /** Wall clock, ms since the epoch. */
  readonly started_ms: number;
  readonly ended_ms: number;
  /** By the monotonic clock. */
  readonly duration_ms: number;
  /** `none` where every expectation was met. */
  readonly error_type: ErrorType;
  readonly blame: Blame;
  /** One sentence of what was expected and found; null where all was well. Without secrets. */
  readonly why: string | null;
  readonly request_id: string | null;
  /** Statuses of every answer in the run, in their order. */
  readonly statuses: readonly number[];
  readonly retry_after_ms: number | null;
  readonly phases: RunPhases | null;
  /** Expiry of the certificate nearest to its end, ms since the epoch. */
  readonly tls_not_after_ms: number | null;
  /** The rows of its paid calls as the ledger has them; empty for a free probe. */
  readonly rows: readonly CallRow[];
  readonly spend: RunSpend | null;
}

export interface RunSpend {
  /** Set aside before the run. */
  readonly reserved: PicoUsd;
  /** By the price book and the units told; null where they are not known. */
  readonly priced: PicoUsd | null;
}
