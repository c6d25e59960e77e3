import type { UsageTotals } from '../../../core/interface.ts';

/** Faults of usage reads and of the account read, armed by the read itself. */
export interface UsageHooks {
  /** The totals that are served instead; null leaves them. */
  totals?(totals: UsageTotals): UsageTotals | null;
}
