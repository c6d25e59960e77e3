import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';

const LONGEST_MS = 60_000;
const COMMENT = ': PING\n\n';

/** Comments are no events: a first one is no first token. */
export const netComments = defineFault({
  id: 'net.comments',
  summary: 'Puts comments into a stream at an interval, from its acceptance on.',
  charge: 'charged',
  shape: { every_ms: z.int().min(1).max(LONGEST_MS).describe('Between two comments.') },
  applies: (call) => call.stream,
  arm: ({ every_ms }, { fire }) => ({
    *frames(frames, start_ms) {
      let due_ms = start_ms + every_ms;
      for (const frame of frames) {
        // What never falls due has no comments before it: it would have them without end.
        for (; due_ms < frame.due_ms && frame.due_ms < Number.POSITIVE_INFINITY; due_ms += every_ms) {
          yield { text: COMMENT, due_ms, hasText: false, last: false, event: false };
          fire();
        }
        yield frame;
      }
    },
  }),
});
