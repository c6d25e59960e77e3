import * as z from 'zod';
import { readBody } from '../http/read-body.ts';
import { eventWithSlots, NUMBER_SLOT, TEXT_SLOT } from './event-slots.ts';
import { messageSchema, modelField, serviceTierField, tokenLimit } from './message-schema.ts';
import {
  type StreamEvents,
  type TextFormat,
  type TextReply,
  type TextRequest,
  toldOutput,
  toldReasoning,
} from './text-format.ts';

export const chatRequest = z.looseObject({
  model: modelField,
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
  n: z.literal(1).nullish(),
  service_tier: serviceTierField,
});

/** `/v1/chat/completions`. */
export const chatFormat: TextFormat = {
  kind: 'chat',
  endpoint: '/v1/chat/completions',
  read(body): TextRequest {
    const request = readBody(chatRequest, body);
    return {
      model: request.model,
      messages: request.messages,
      stream: request.stream ?? false,
      maxTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
      includeUsage: request.stream_options?.include_usage ?? false,
      serviceTier: request.service_tier ?? null,
      mayUseTools: false,
    };
  },
  whole(reply) {
    const message = { role: 'assistant', content: reply.text, refusal: null };
    return {
      ...head(reply, 'chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: reply.finish }],
      usage: chatUsage(reply),
    };
  },
  events(reply): StreamEvents {
    const base = head(reply, 'chat.completion.chunk');
    const chunk = (delta: object, finish_reason: string | null, usage: object = {}): string =>
      data({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...usage });
    const { includeUsage, usagePlace } = reply;
    const soFar =
      includeUsage && usagePlace === 'cumulative'
        ? { usage: { prompt_tokens: reply.usage.input, completion_tokens: NUMBER_SLOT } }
        : {};
    const delta = eventWithSlots(chunk({ content: TEXT_SLOT }, null, soFar));
    return {
      opening: [chunk({ role: 'assistant', content: '' }, null)],
      delta: (piece, index) => delta(piece, Math.min(reply.usage.output, toldReasoning(reply) + index + 1)),
      closing: () => {
        const told = includeUsage ? { usage: chatUsage(reply) } : {};
        const done = 'data: [DONE]\n\n';
        if (usagePlace !== 'last_chunk') return [chunk({}, reply.finish, told), done];
        const last = includeUsage ? [data({ ...base, choices: [], ...told })] : [];
        return [chunk({}, reply.finish), ...last, done];
      },
    };
  },
};

function head(reply: TextReply, object: string): object {
  const { requestId, created, model, serviceTier } = reply;
  return {
    id: `chatcmpl-${requestId}`,
    object,
    created,
    model,
    ...(serviceTier === null ? {} : { service_tier: serviceTier }),
  };
}

/** Usage as this format tells it. */
export function chatUsage(reply: TextReply): object {
  const { input, output, cacheRead, cacheWrite } = reply.usage;
  return {
    prompt_tokens: input,
    completion_tokens: toldOutput(reply),
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: toldReasoning(reply) },
  };
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
