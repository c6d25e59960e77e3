import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { afterEvents } from '../network/after-events.ts';
import { eventJson, withJson } from './text-event.ts';

const MOST = 1_000_000;

/** No event is missing, only numbers are. */
export const semSequenceGap = defineFault({
  id: 'sem.sequence_gap',
  summary: 'Leaves numbers out of the sequence of a responses stream after some events.',
  charge: 'charged',
  shape: {
    after_events: afterEvents,
    missing: z.int().min(1).max(MOST).default(1).describe('Numbers left out.'),
  },
  applies: ({ kind, stream }) => kind === 'responses' && stream,
  arm: ({ after_events, missing }, { fire }) => ({
    *frames(frames) {
      let index = 0;
      for (const frame of frames) {
        const value = eventJson(frame);
        const number = value?.['sequence_number'];
        if (index < after_events || typeof number !== 'number') yield frame;
        else {
          yield withJson(frame, { ...value, sequence_number: number + missing });
          fire();
        }
        index += 1;
      }
    },
  }),
});
