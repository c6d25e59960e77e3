import type { Decimal } from '../../core/decimal.ts';
import type { RoundingMode } from '../../core/rounding.ts';

/** How an exact charge becomes the amount of a record: at so many decimals, 12 at most. */
export interface RoundingRule {
  readonly decimals: number;
  readonly mode: RoundingMode;
  /** The quantum in units of its last decimal; 1 unless given. */
  readonly steps?: bigint;
  /** Rounds each line of a text charge, where the rule is otherwise for their sum. */
  readonly eachLine?: boolean;
  /** Makes a charge that is not zero one quantum at least. */
  readonly least?: boolean;
  /** What the exact charge is multiplied by first. */
  readonly factor?: Decimal;
}

/** The rules that a reading may name; the first is the gateway's own. */
export const ROUNDING_RULES = {
  half_up_8: { decimals: 8, mode: 'half_up' },
  half_even_8: { decimals: 8, mode: 'half_even' },
  down_8: { decimals: 8, mode: 'trunc' },
  up_8: { decimals: 8, mode: 'ceil' },
  each_line_8: { decimals: 8, mode: 'half_up', eachLine: true },
  half_up_4: { decimals: 4, mode: 'half_up' },
  up_4: { decimals: 4, mode: 'ceil' },
  half_up_6: { decimals: 6, mode: 'half_up' },
  up_6: { decimals: 6, mode: 'ceil' },
  half_up_500000th: { decimals: 6, mode: 'half_up', steps: 2n },
  up_500000th: { decimals: 6, mode: 'ceil', steps: 2n },
  half_up_10: { decimals: 10, mode: 'half_up' },
  half_up_12: { decimals: 12, mode: 'half_up' },
} as const satisfies Record<string, RoundingRule>;

export const OWN_ROUNDING: RoundingRule = ROUNDING_RULES.half_up_8;
