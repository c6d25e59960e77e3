import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { ABORTED_CALL_FAULTS } from './aborted-calls.ts';
import { AMOUNT_FORM_FAULTS, billAmountRounding } from './amount-rounding.ts';
import { billChargeRejected, CHARGED_UNSERVED_FAULTS } from './charged-unserved.ts';
import { ABSENT_RECORD_FAULTS, billDoubleCharge, FURTHER_RECORD_FAULTS } from './further-records.ts';
import { OPEN_RECORD_FAULTS, REFUND_FAULTS } from './open-records.ts';
import { cacheWithhold } from './withheld-hits.ts';
import { WRONG_LINE_FAULTS } from './wrong-lines.ts';
import { WRONG_FIGURE_FAULTS, WRONG_PAGE_FAULTS } from './wrong-pages.ts';
import { WRONG_PRICE_FAULTS } from './wrong-prices.ts';
import { billTotalsDrift, WRONG_SELECTION_FAULTS } from './wrong-selections.ts';
import { WRONG_TOKEN_FAULTS } from './wrong-tokens.ts';

/** Faults of charges, records, totals, the account's figures and the price book. */
export const BILLING_FAULTS: readonly FaultDefinition[] = [
  billDoubleCharge,
  ...FURTHER_RECORD_FAULTS,
  ...ABSENT_RECORD_FAULTS,
  billChargeRejected,
  ...CHARGED_UNSERVED_FAULTS,
  ...REFUND_FAULTS,
  ...ABORTED_CALL_FAULTS,
  ...OPEN_RECORD_FAULTS,
  ...WRONG_PRICE_FAULTS,
  ...WRONG_LINE_FAULTS,
  ...WRONG_TOKEN_FAULTS,
  cacheWithhold,
  billAmountRounding,
  ...AMOUNT_FORM_FAULTS,
  billTotalsDrift,
  ...WRONG_SELECTION_FAULTS,
  ...WRONG_PAGE_FAULTS,
  ...WRONG_FIGURE_FAULTS,
];
