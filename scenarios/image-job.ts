import { traffic } from './lib/traffic.ts';

/** Image generation as jobs, with fallback to the synchronous endpoint. */
const script = traffic('image_job');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
