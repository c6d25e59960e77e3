import type { RoundingMode } from '../../core/rounding.ts';

/** How an exact charge becomes the amount of a record: once, at so many decimals, 12 at most. */
export interface RoundingRule {
  readonly decimals: number;
  readonly mode: RoundingMode;
}

/** The rules that a reading may name; the first is the gateway's own. */
export const ROUNDING_RULES = {
  half_up_8: { decimals: 8, mode: 'half_up' },
  half_even_8: { decimals: 8, mode: 'half_even' },
  down_8: { decimals: 8, mode: 'trunc' },
  up_8: { decimals: 8, mode: 'ceil' },
  half_up_6: { decimals: 6, mode: 'half_up' },
  half_up_12: { decimals: 12, mode: 'half_up' },
} as const satisfies Record<string, RoundingRule>;

export const OWN_ROUNDING: RoundingRule = ROUNDING_RULES.half_up_8;
