import { traffic } from './lib/traffic.ts';

/**
 * All scenarios of the plan, for runs of hours and days: without thresholds, for which k6 would keep every sample of the
 * run in memory. The objectives are judged from the ledger.
 */
const script = traffic(null);

export const options = { ...script.options, thresholds: {} };
export const run = script.run;
export const pool = script.pool;
