import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { makesMedia } from './media-calls.ts';

const YEAR_S = 366 * 86_400;

/** The record keeps the true time. */
export const clockSkew = defineFault({
  id: 'sem.clock_skew',
  summary:
    'Answers tell a creation time that is off, or that is in milliseconds. The record has the true one.',
  charge: 'charged',
  shape: {
    offset_s: z.int().min(-YEAR_S).max(YEAR_S).default(3600).describe('Seconds added; negative: too early.'),
    unit: z.enum(['seconds', 'milliseconds']).default('seconds').describe('What the time is given in.'),
  },
  // The messages format tells no time.
  applies: (call) => makesMedia(call) || call.kind === 'chat' || call.kind === 'responses',
  arm({ offset_s, unit }, { fire }) {
    const createdAt = (unix_s: number): number | null => {
      if (offset_s === 0 && unit === 'seconds') return null;
      fire();
      return (unix_s + offset_s) * (unit === 'milliseconds' ? 1000 : 1);
    };
    return {
      createdAt,
      reply(reply) {
        const created = createdAt(reply.created);
        return created === null ? null : { ...reply, created };
      },
    };
  },
});
