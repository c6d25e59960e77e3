import { traffic } from './lib/traffic.ts';

/** Video tasks: create, poll, download. */
const script = traffic('video');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
