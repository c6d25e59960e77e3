/** The amounts of a result's money as formats for machines name them, in this order. */
export const MONEY_LINES = [
  'expected',
  'charged',
  'charged_inexact',
  'refunded',
  'pending',
  'difference',
  'certain_over',
  'certain_under',
  'open',
] as const;
