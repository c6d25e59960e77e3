import type { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { CutManner, StreamSink } from '../../formats/stream-sink.ts';
import { defineFault } from '../../hooks/fault-definition.ts';
import { drawTime, type LatencyDistribution } from '../../latency/distribution.ts';
import { afterEvents } from './after-events.ts';
import { PacedSink } from './paced-sink.ts';

const LONGEST_MS = 600_000;

/** The whole stream comes later: the first event waits, those after it keep their distances. */
export const netTtft = defineFault({
  id: 'net.ttft',
  summary: 'Delays the first event of a stream; the others keep their distances.',
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

const LONGEST_STALL_MS = 86_400_000;

/** Silence in the middle of a stream, without the comments that keep it alive. */
export const netStall = defineFault({
  id: 'net.stall',
  summary: 'Falls silent after some events, without a comment, for a time or for good.',
  shape: {
    after_events: afterEvents,
    silent_ms: z.int().min(0).max(LONGEST_STALL_MS).describe('0: it never goes on, until the client leaves.'),
  },
  applies: (call) => call.stream,
  arm: ({ after_events, silent_ms }, { fire }) => ({
    *frames(frames) {
      let index = 0;
      for (const frame of frames) {
        if (index < after_events) yield frame;
        else {
          fire();
          const due_ms = frame.due_ms + (silent_ms === 0 ? Number.POSITIVE_INFINITY : silent_ms);
          yield index === after_events ? { ...frame, due_ms, keepAlive: false } : { ...frame, due_ms };
        }
        index += 1;
      }
    },
  }),
});

/** The terminator event has come, the end of the response has not. */
export const netSlowClose = defineFault({
  id: 'net.slow_close',
  summary: 'Keeps the response open for a time after its terminator event.',
  shape: { open_ms: z.int().min(1).max(LONGEST_MS).describe('After the terminator event.') },
  applies: (call) => call.stream,
  arm: ({ open_ms }, { fire }) => ({
    sink: (next) => new SlowClosingSink(next, open_ms, fire),
  }),
});

class SlowClosingSink implements StreamSink {
  readonly #next: StreamSink;
  readonly #open_ms: number;
  readonly #fire: () => void;

  constructor(next: StreamSink, open_ms: number, fire: () => void) {
    this.#next = next;
    this.#open_ms = open_ms;
    this.#fire = fire;
  }

  write(bytes: string | Buffer): boolean {
    return this.#next.write(bytes);
  }

  onceDrained(resume: () => void): void {
    this.#next.onceDrained(resume);
  }

  /** The call has ended with its last event: what is left of the response is no work any more. */
  end(bytes: string | Buffer, ended: () => void): void {
    this.#next.write(bytes);
    this.#fire();
    ended();
    this.#next.later(this.#open_ms, () => this.#next.end('', () => {}));
  }

  cut(manner: CutManner): void {
    this.#next.cut(manner);
  }

  later(ms: number, action: () => void): void {
    this.#next.later(ms, action);
  }
}
