import { traffic } from './lib/traffic.ts';

/** Completions of a prompt, plain and streamed as the plan says. */
const script = traffic('completion');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
