import type { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { PacedSink } from './paced-sink.ts';

const MAX_BYTES = 65_536;

/** Events arrive in pieces that know nothing of their bounds. */
export const netSlice = defineFault({
  id: 'net.slice',
  summary: 'Sends a stream in slices of 1 to n bytes, of seeded sizes, without a pause.',
  charge: 'charged',
  shape: { max_bytes: z.int().min(1).max(MAX_BYTES).default(7).describe('The largest slice.') },
  applies: (call) => call.stream,
  arm: ({ max_bytes }, { fire, random }) => ({
    sink(next) {
      const split = (whole: Buffer): Buffer[] => {
        const parts: Buffer[] = [];
        for (let from = 0; from < whole.length; ) {
          const length = 1 + random.below(max_bytes);
          parts.push(whole.subarray(from, from + length));
          from += length;
        }
        if (parts.length > 1) fire();
        return parts;
      };
      return new PacedSink(next, { split, pause_ms: 0 });
    },
  }),
});
