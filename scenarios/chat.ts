import { traffic } from './lib/traffic.ts';

/** Chat completions, plain and streamed as the plan says. */
const script = traffic('chat');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
