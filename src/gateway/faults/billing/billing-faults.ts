import type { FaultDefinition } from '../fault-definition.ts';
import { billDoubleCharge } from './bill-double-charge.ts';

/** Faults of charges, records, totals and the account's figures. */
export const BILLING_FAULTS: readonly FaultDefinition[] = [billDoubleCharge];
