import * as z from 'zod';
import { defineFault, type FaultDefinition, firing, plainFault } from '../../hooks/fault-definition.ts';
import { TEXT_MODELS } from '../../models/text-models.ts';
import { textCall } from '../hit.ts';

const LONGEST_MODEL_ID = 191;

/** Answers that tell something else of a reply than what was made and charged. */
export const REPLY_TOLD_WRONG: readonly FaultDefinition[] = [
  defineFault({
    id: 'sem.model_swap',
    summary: 'Names another model in the answer than the one that was asked for and charged.',
    shape: {
      model: z
        .string()
        .max(LONGEST_MODEL_ID)
        .default('')
        .describe('The model in the answer; empty: another one of the catalogue.'),
    },
    applies: textCall,
    arm: ({ model }, { fire, random }) => ({
      reply(reply) {
        const others = TEXT_MODELS.filter(({ id }) => id !== reply.model);
        const told = model === '' ? (others[random.below(others.length)]?.id ?? '') : model;
        if (told === reply.model) return null;
        fire();
        return { ...reply, model: told };
      },
    }),
  }),
  plainFault({
    id: 'sem.finish_reason_lie',
    summary: 'Says that a reply is complete although its limit cut it.',
    applies: textCall,
    arm: ({ fire }) => ({
      reply: firing(fire, (reply) => (reply.finish === 'stop' ? null : { ...reply, finish: 'stop' })),
    }),
  }),
  plainFault({
    id: 'sem.truncated_text_completed',
    summary: 'Gives the first half of a reply as a complete one, with the usage of the whole.',
    applies: textCall,
    arm: ({ fire }) => ({
      reply(reply) {
        if (reply.pieces.length < 2) return null;
        const pieces = reply.pieces.slice(0, Math.floor(reply.pieces.length / 2));
        fire();
        return { ...reply, pieces, text: pieces.join(''), finish: 'stop' };
      },
    }),
  }),
];
