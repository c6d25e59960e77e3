import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { NO_TOKENS, type TokenUsage } from '../../events/charge-record.ts';
import { chatUsage } from '../../formats/chat-format.ts';
import type { TextReply } from '../../formats/text-format.ts';
import {
  defineFault,
  type FaultDefinition,
  type FaultSubject,
  firing,
  plainFault,
} from '../../hooks/fault-definition.ts';
import { textCall } from '../hit.ts';
import { eventJson, fieldOf, type Json, withJson } from './text-event.ts';

const messagesUsage = z.looseObject({
  input_tokens: z.int(),
  cache_creation_input_tokens: z.int(),
  cache_read_input_tokens: z.int(),
});
const outputUsage = z.looseObject({ output_tokens: z.int() });

/** Usage in another form than its format has it; who reads it by the format reads it wrong. */
export const USAGE_FORMS: readonly FaultDefinition[] = [
  plainFault({
    id: 'sem.usage_cumulative_sum',
    summary: 'Spreads the output tokens over two message_delta events, whose counts are to be added.',
    applies: ({ kind, stream }) => kind === 'messages' && stream,
    arm: ({ fire }) => ({
      *frames(frames) {
        for (const frame of frames) {
          const value = eventJson(frame);
          const usage = outputUsage.safeParse(value?.['usage']).data;
          if (value === null || value['type'] !== 'message_delta' || usage === undefined) {
            yield frame;
            continue;
          }
          const first = Math.ceil(usage.output_tokens / 2);
          const delta = { stop_reason: null, stop_sequence: null };
          yield withJson(frame, { ...value, delta, usage: { ...usage, output_tokens: first } });
          yield withJson(frame, {
            ...value,
            usage: { ...usage, output_tokens: usage.output_tokens - first },
          });
          fire();
        }
      },
    }),
  }),
  plainFault({
    id: 'sem.usage_cache_included',
    summary: 'Counts the cache tokens in input_tokens too, in the format that leaves them out.',
    applies: ({ kind }) => kind === 'messages',
    arm: ({ fire }) => ({
      json: firing(fire, withCacheInInput),
      *frames(frames) {
        for (const frame of frames) {
          const value = eventJson(frame);
          const wrong = value === null ? null : withCacheInInput(value);
          yield wrong === null ? frame : withJson(frame, wrong);
          if (wrong !== null) fire();
        }
      },
    }),
  }),
  plainFault({
    id: 'sem.usage_in_content',
    summary: 'Gives every chunk of a chat stream the usage so far, asked for or not.',
    applies: ({ kind, stream }) => kind === 'chat' && stream,
    arm({ fire }) {
      let reply: TextReply | null = null;
      return {
        reply(given) {
          reply = given;
          return null;
        },
        *frames(frames) {
          let pieces = 0;
          for (const frame of frames) {
            const value = eventJson(frame);
            if (frame.hasText) pieces += 1;
            if (value === null || reply === null || 'usage' in value) yield frame;
            else {
              const { usage } = reply;
              const output = pieces === reply.pieces.length ? usage.output : Math.min(pieces, usage.output);
              const told = { ...reply, usage: { ...usage, output } };
              yield withJson(frame, { ...value, usage: chatUsage(told) });
              fire();
            }
          }
        },
      };
    },
  }),
];

/** Null where there is no usage, or no cache in it. */
function withCacheInInput(value: Json): Record<string, unknown> | null {
  const message = fieldOf(value, 'message');
  if (message !== null) {
    const inner = withCacheInInput(message);
    return inner === null ? null : { ...value, message: inner };
  }
  const usage = messagesUsage.safeParse(value['usage']).data;
  if (usage === undefined) return null;
  const cache = usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  return cache === 0 ? null : { ...value, usage: { ...usage, input_tokens: usage.input_tokens + cache } };
}

const MOST = 1_000_000;

/** Usage as answers tell it is wrong; the record has the true one. */
export const USAGE_TOLD_WRONG: readonly FaultDefinition[] = [
  plainFault({
    id: 'sem.usage_zero',
    summary: 'Reports usage of 0 tokens everywhere in an answer. The record has the true ones.',
    applies: textCall,
    arm: ({ fire, subject }) => ({
      reply: (reply) => toldUsage(subject, reply, NO_TOKENS, fire),
    }),
  }),
  defineFault({
    id: 'sem.usage_mismatch',
    summary: 'Reports another number of output tokens than the record has.',
    shape: {
      output_tokens: z
        .int()
        .min(-MOST)
        .max(MOST)
        .default(-1)
        .describe('Added to the true number, which stays 0 or more.'),
    },
    applies: textCall,
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

/** Where the formats put usage besides the top of an answer. */
const HOLDERS = ['message', 'response'];

/** The client has nothing to check the record by. */
export const semUsageMissing = plainFault({
  id: 'sem.usage_missing',
  summary: 'Leaves usage out of an answer, wherever its format puts it. The record has it.',
  applies: textCall,
  arm: ({ fire }) => ({
    json: firing(fire, withoutUsage),
    *frames(frames) {
      for (const frame of frames) {
        const value = eventJson(frame);
        const without = value === null ? null : withoutUsage(value);
        if (without === null) yield frame;
        else {
          // The last chunk of a chat has no choices and nothing but usage to tell.
          if (!isEmptyList(without['choices'])) yield withJson(frame, without);
          fire();
        }
      }
    },
  }),
});

function withoutUsage(value: Json): Record<string, unknown> | null {
  if ('usage' in value && value['usage'] !== null) return left(value);
  for (const holder of HOLDERS) {
    const held = fieldOf(value, holder);
    if (held !== null && (held['usage'] ?? null) !== null) return { ...value, [holder]: left(held) };
  }
  return null;
}

function left({ usage: _usage, ...rest }: Json): Record<string, unknown> {
  return rest;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
