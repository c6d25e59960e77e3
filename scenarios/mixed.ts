import { traffic } from './lib/traffic.ts';

/** All scenarios of the plan. */
const script = traffic(null);

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
