import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { eventJson, fieldOf, type Json, withJson } from './text-event.ts';

/** The outcome `incomplete` of the responses format, for a reply that came to its own end. */
export const semResponsesIncomplete = defineFault({
  id: 'sem.responses_incomplete',
  summary: 'Calls a whole response incomplete, with a reason; it is charged as whole.',
  charge: 'charged',
  shape: {
    reason: z
      .enum(['max_output_tokens', 'content_filter'])
      .default('content_filter')
      .describe('As `incomplete_details` gives it.'),
  },
  applies: ({ kind }) => kind === 'responses',
  arm({ reason }, { fire }) {
    const withReason = (response: Json): Record<string, unknown> | null => {
      if (response['status'] !== 'incomplete') return null;
      fire();
      return { ...response, incomplete_details: { reason } };
    };
    return {
      reply: (reply) => ({ ...reply, finish: 'length' }),
      json: withReason,
      *frames(frames) {
        for (const frame of frames) {
          const value = eventJson(frame);
          const held = value === null ? null : fieldOf(value, 'response');
          const response = held === null ? null : withReason(held);
          yield response === null ? frame : withJson(frame, { ...value, response });
        }
      },
    };
  },
});
