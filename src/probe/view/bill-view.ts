import type { FaultClass } from '../../contracts/fault-class.ts';

/** What the last audit found in the bill of the daemon's own calls. */
export interface BillView {
  readonly at_ms: number;
  readonly calls: number;
  readonly findings: number;
  readonly verdict: 'findings' | 'inconclusive' | 'clean';
  /** The findings by what they mean, the dearest first. */
  readonly groups: readonly FindingGroupView[];
}

export interface FindingGroupView {
  readonly class: FaultClass;
  readonly findings: number;
  /** Charged minus due, USD as decimal text; null where no finding has an exact amount. */
  readonly delta_usd: string | null;
  /** True where the amounts of some findings are known by bounds alone. */
  readonly partly: boolean;
  readonly example: {
    readonly request_id: string | null;
    readonly model: string | null;
    readonly explanation: string;
    readonly next_step: string;
  };
}
