import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { NO_TOKENS, type TokenUsage } from '../../events/token-usage.ts';
import type { TextReply } from '../../formats/text-format.ts';
import { defineFault, type FaultDefinition, type FaultSubject } from '../../hooks/fault-definition.ts';
import { isTextCall } from './text-call.ts';

const MOST = 1_000_000;

/** Usage as answers tell it is wrong; the record has the true one. */
export const USAGE_TOLD_WRONG: readonly FaultDefinition[] = [
  defineFault({
    id: 'sem.usage_zero',
    summary: 'Tells usage of 0 tokens everywhere in an answer. The record has the true ones.',
    charge: 'charged',
    shape: {},
    applies: isTextCall,
    arm: (_parameters, { fire, subject }) => ({
      reply: (reply) => toldUsage(subject, reply, NO_TOKENS, fire),
    }),
  }),
  defineFault({
    id: 'sem.usage_mismatch',
    summary: 'Tells another number of output tokens than the record has.',
    charge: 'charged',
    shape: {
      output_tokens: z
        .int()
        .min(-MOST)
        .max(MOST)
        .default(-1)
        .describe('Added to the true number, which stays 0 or more.'),
    },
    applies: isTextCall,
    arm: ({ output_tokens }, { fire, subject }) => ({
      reply(reply) {
        const output = Math.max(0, reply.usage.output + output_tokens);
        return toldUsage(subject, reply, { ...reply.usage, output }, fire);
      },
    }),
  }),
];

/** Null where the answer has no usage, or the same. */
function toldUsage(
  { stream }: FaultSubject,
  reply: TextReply,
  usage: TokenUsage,
  fire: () => void,
): TextReply | null {
  const told = !stream || reply.includeUsage;
  if (!told || isDeepStrictEqual(usage, reply.usage)) return null;
  fire();
  return { ...reply, usage };
}
