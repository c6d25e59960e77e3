import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { afterEvents } from './after-events.ts';

const LONGEST_MS = 86_400_000;

/** Silence in the middle of a stream, without the comments that keep it alive. */
export const netStall = defineFault({
  id: 'net.stall',
  summary: 'Falls silent after some events, without a comment, for a time or for good.',
  charge: 'charged',
  shape: {
    after_events: afterEvents,
    silent_ms: z.int().min(0).max(LONGEST_MS).describe('0: it never goes on, until the client leaves.'),
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
