import * as z from 'zod';
import { readBody } from '../http/read-body.ts';
import { contentText } from '../tokens/prompt-message.ts';
import { eventWithSlots, TEXT_SLOT } from './event-slots.ts';
import { messageSchema, modelField } from './message-schema.ts';
import {
  type StreamEvents,
  type TextFormat,
  type TextReply,
  type TextRequest,
  toldReasoning,
} from './text-format.ts';
import { typedEvent } from './typed-event.ts';

export const messagesRequest = z.looseObject({
  model: modelField,
  messages: z.array(messageSchema).min(1),
  max_tokens: z.int({ error: 'is required and must be an integer of at least 1' }).min(1),
  system: z.union([z.string(), z.array(z.unknown())]).nullish(),
  stream: z.boolean().nullish(),
});

/** The same in every stream. */
const DELTA = eventWithSlots(
  typedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT_SLOT } }),
);

/** `/v1/messages`. */
export const messagesFormat: TextFormat = {
  kind: 'messages',
  endpoint: '/v1/messages',
  read(body): TextRequest {
    const request = readBody(messagesRequest, body);
    const system = request.system == null ? [] : [{ role: 'system', text: contentText(request.system) }];
    return {
      model: request.model,
      messages: [...system, ...request.messages],
      stream: request.stream ?? false,
      maxTokens: request.max_tokens,
      includeUsage: true,
      serviceTier: null,
      mayUseTools: false,
    };
  },
  whole: (reply) => ({
    ...head(reply),
    content: [{ type: 'text', text: reply.text }],
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: endUsage(reply),
  }),
  events(reply): StreamEvents {
    const message = {
      ...head(reply),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(reply), output_tokens: 1 },
    };
    const opening = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
    ];
    const closing = () => [
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: endUsage(reply),
      },
      { type: 'message_stop' },
    ];
    return {
      opening: opening.map((event) => typedEvent(event)),
      delta: DELTA,
      closing: () => closing().map((event) => typedEvent(event)),
    };
  },
};

function head(reply: TextReply): object {
  return { id: `msg_${reply.requestId}`, type: 'message', role: 'assistant', model: reply.model };
}

function stopReason(reply: TextReply): string {
  return reply.finish === 'length' ? 'max_tokens' : 'end_turn';
}

function endUsage(reply: TextReply): object {
  const thought = { output_tokens_details: { thinking_tokens: toldReasoning(reply) } };
  return {
    ...inputUsage(reply),
    output_tokens: reply.usage.output,
    ...(reply.reasoning === null ? {} : thought),
  };
}

/** In this format `input_tokens` leaves the cache tokens out. */
function inputUsage({ usage }: TextReply): object {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  };
}
