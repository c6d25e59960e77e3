import * as z from 'zod';
import { readBody } from '../http/read-body.ts';
import { chatUsage } from './chat-format.ts';
import { eventWithSlots, TEXT_SLOT } from './event-slots.ts';
import { modelField, tokenLimit } from './message-schema.ts';
import type { StreamEvents, TextFormat, TextReply } from './text-format.ts';

const ONE_PROMPT =
  'expected one prompt, a string or an array of one string; send further prompts as calls of their own';
const NO_ECHO = 'is not supported: leave it out, and join prompt and answer yourself';

const completionRequest = z.looseObject({
  model: modelField,
  prompt: z
    .union([z.string(), z.tuple([z.string()])], { error: ONE_PROMPT })
    .transform((prompt) => (typeof prompt === 'string' ? prompt : prompt[0])),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokenLimit,
  n: z.literal(1).nullish(),
  echo: z.literal(false, { error: NO_ECHO }).nullish(),
});

/** `/v1/completions`: decision 0028. */
export const completionsFormat: TextFormat = {
  kind: 'completion',
  endpoint: '/v1/completions',
  read(body) {
    const { model, prompt, stream, max_tokens, stream_options } = readBody(completionRequest, body);
    return {
      model,
      messages: [{ role: 'user', text: prompt }],
      stream: stream ?? false,
      maxTokens: max_tokens ?? null,
      includeUsage: stream_options?.include_usage ?? false,
      serviceTier: null,
      mayUseTools: false,
    };
  },
  whole(reply) {
    return { ...head(reply), choices: [choice(reply.text, reply.finish)], usage: chatUsage(reply) };
  },
  events(reply): StreamEvents {
    const base = head(reply);
    const delta = eventWithSlots(data({ ...base, choices: [choice(TEXT_SLOT, null)] }));
    return {
      opening: [],
      delta: (piece) => delta(piece, 0),
      closing: () => [
        data({ ...base, choices: [choice('', reply.finish)] }),
        ...(reply.includeUsage ? [data({ ...base, choices: [], usage: chatUsage(reply) })] : []),
        'data: [DONE]\n\n',
      ],
    };
  },
};

function head({ requestId, created, model }: TextReply): object {
  return { id: `cmpl-${requestId}`, object: 'text_completion', created, model };
}

function choice(text: string, finish_reason: string | null): object {
  return { index: 0, text, logprobs: null, finish_reason };
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
