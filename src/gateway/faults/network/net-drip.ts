import type { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { PacedSink } from './paced-sink.ts';

const MAX_BYTES = 1_000_000;
const MAX_MS = 60_000;

/** A slow line: so many bytes, then a pause. */
export const netDrip = defineFault({
  id: 'net.drip',
  summary: 'Sends a stream slowly: n bytes, then m milliseconds of nothing.',
  charge: 'charged',
  shape: {
    bytes: z.int().min(1).max(MAX_BYTES).describe('In one go.'),
    every_ms: z.int().min(1).max(MAX_MS).describe('Pause after them.'),
  },
  applies: (call) => call.stream,
  arm: ({ bytes, every_ms }, { fire }) => ({
    sink(next) {
      const split = (whole: Buffer): Buffer[] => {
        fire();
        return slices(whole, bytes);
      };
      return new PacedSink(next, { split, pause_ms: every_ms });
    },
  }),
});

function slices(whole: Buffer, bytes: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0; from < whole.length; from += bytes) parts.push(whole.subarray(from, from + bytes));
  return parts;
}
