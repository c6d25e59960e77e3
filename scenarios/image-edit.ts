import { traffic } from './lib/traffic.ts';

/** Image edits, synchronous, JSON and multipart. */
const script = traffic('image_edit');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
