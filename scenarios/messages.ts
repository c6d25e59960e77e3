import { traffic } from './lib/traffic.ts';

/** Messages, plain and streamed, with x-api-key and bearer. */
const script = traffic('messages');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
