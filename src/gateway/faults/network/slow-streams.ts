import type { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { drawTime, type LatencyDistribution } from '../../latency/distribution.ts';
import { PacedSink } from './paced-sink.ts';

const LONGEST_MS = 600_000;

/** The whole stream comes later: the first event waits, those after it keep their distances. */
export const netTtft = defineFault({
  id: 'net.ttft',
  summary: 'Delays the first event of a stream; the others keep their distances.',
  charge: 'charged',
  shape: {
    distribution: z.enum(['fixed', 'uniform', 'lognormal']).default('fixed').describe('Of the delays.'),
    ms: z
      .int()
      .min(1)
      .max(LONGEST_MS)
      .describe('The delay; for uniform its middle, for lognormal its median.'),
    spread: z
      .number()
      .min(0)
      .max(4)
      .default(0.5)
      .describe('Not for fixed. uniform: part of `ms` on either side, at most 1; lognormal: sigma.'),
  },
  applies: (call) => call.stream,
  arm: ({ distribution, ms, spread }, { fire, random }) => ({
    *frames(frames) {
      const delay = Math.min(drawTime(random, distributionOf(distribution, ms, spread)), LONGEST_MS);
      fire();
      for (const frame of frames) yield { ...frame, due_ms: frame.due_ms + delay };
    },
  }),
});

function distributionOf(kind: LatencyDistribution['kind'], ms: number, spread: number): LatencyDistribution {
  if (kind === 'fixed') return { kind, ms };
  if (kind === 'lognormal') return { kind, median_ms: ms, spread };
  const part = ms * Math.min(spread, 1);
  return { kind, min_ms: ms - part, max_ms: ms + part };
}

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
