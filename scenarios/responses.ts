import { traffic } from './lib/traffic.ts';

/** Responses, plain and streamed as the plan says. */
const script = traffic('responses');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
