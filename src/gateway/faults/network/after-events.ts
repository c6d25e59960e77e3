import * as z from 'zod';

/** Events of the stream that are still written before a cut, those without text included. */
export const afterEvents = z.int().min(0).max(1_000_000);
