import type { Rounding } from './price-book.ts';

/**
 * What may be declared of each point that the interface leaves open and the auditor has to read. `auto`: decided from
 * what the target serves. Configuration, `--assume-reading` and the table of the report know these names and no others.
 */
export const READING_VALUES = {
  amount: ['net', 'gross', 'auto'],
  input_tokens: ['with_cache', 'without_cache', 'auto'],
  output_tokens: ['with_reasoning', 'without_reasoning', 'auto'],
  created_at: ['acceptance', 'settlement', 'auto'],
  totals_settled: [
    'amount',
    'amount_less_refunded',
    'amount_with_refunded',
    'final_amount',
    'final_less_refunded',
    'final_with_refunded',
    'auto',
  ],
  totals_pending: ['reserved', 'amount', 'none', 'auto'],
  totals_refunded: ['all', 'refunded_only', 'auto'],
} as const;

export const STATUS_READINGS = ['pending', 'settled', 'refunded', 'waived'] as const;

type Listed = {
  readonly [Name in keyof typeof READING_VALUES]: (typeof READING_VALUES)[Name][number];
};

export interface BillingReadings extends Listed {
  /** Of prices whose book tells none; null: as the charges show it. */
  readonly rounding: Rounding | null;
  /** What a status that the interface does not name means. */
  readonly status: Readonly<Record<string, (typeof STATUS_READINGS)[number]>>;
}

export const UNDECLARED: BillingReadings = {
  amount: 'auto',
  input_tokens: 'auto',
  output_tokens: 'auto',
  created_at: 'auto',
  totals_settled: 'auto',
  totals_pending: 'auto',
  totals_refunded: 'auto',
  rounding: null,
  status: {},
};
