import { BILLING_SCENARIOS } from './billing-scenarios.ts';
import { ORDINAL_SCENARIOS } from './ordinal-scenarios.ts';
import type { Scenario } from './scenario.ts';

/** Fault plans with a name; a further one is an entry in one of these lists. */
export const SCENARIOS: readonly Scenario[] = [...BILLING_SCENARIOS, ...ORDINAL_SCENARIOS];
