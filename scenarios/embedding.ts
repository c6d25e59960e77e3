import { traffic } from './lib/traffic.ts';

/** Embeddings of prompts. */
const script = traffic('embedding');

export const options = script.options;
export const run = script.run;
export const pool = script.pool;
