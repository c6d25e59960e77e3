import { traffic } from './lib/traffic.ts';

/** Image generation, synchronous. */
const script = traffic('image');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
