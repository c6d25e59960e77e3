import { traffic } from './lib/traffic.ts';

/** The text kinds of the plan, each call streamed whatever share of them the plan streams. */
const script = traffic(null, { streamAll: true });

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
