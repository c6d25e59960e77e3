import * as z from 'zod';

/** Events of the stream that are still written before a cut. */
export const afterEvents = z
  .int()
  .min(0)
  .max(1_000_000)
  .describe('Events of the stream that are still written, those without text included.');
