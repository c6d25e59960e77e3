import * as z from 'zod';
import { readBody } from '../http/read-body.ts';
import { contentText, type PromptMessage } from '../tokens/prompt-message.ts';
import { eventWithSlots, NUMBER_SLOT, TEXT_SLOT } from './event-slots.ts';
import { modelField, serviceTierField, tokenLimit } from './message-schema.ts';
import {
  type StreamEvents,
  type TextFormat,
  type TextReply,
  type TextRequest,
  toldOutput,
  toldReasoning,
} from './text-format.ts';
import { typedEvent } from './typed-event.ts';

/** An item that is no message, such as a tool result, counts as its JSON. */
const inputItem = z.looseObject({ role: z.string().optional(), content: z.unknown().optional() });

export const responsesRequest = z.looseObject({
  model: modelField,
  input: z.union([z.string(), z.array(inputItem).min(1)], { error: 'must be a string or a list of items' }),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: tokenLimit,
  service_tier: serviceTierField,
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
});

/** `/v1/responses`. */
export const responsesFormat: TextFormat = {
  kind: 'responses',
  endpoint: '/v1/responses',
  read(body): TextRequest {
    const request = readBody(responsesRequest, body);
    const system = request.instructions == null ? [] : [{ role: 'system', text: request.instructions }];
    return {
      model: request.model,
      messages: [...system, ...promptOf(request.input)],
      stream: request.stream ?? false,
      maxTokens: request.max_output_tokens ?? null,
      includeUsage: true,
      serviceTier: request.service_tier ?? null,
      mayUseTools: request.tools?.some(({ type }) => type === 'web_search') ?? false,
    };
  },
  whole: (reply) => {
    const { items } = responsesPrelude(reply);
    return response(reply, finalStatus(reply), [...items, messageItem(reply, 'completed')]);
  },
  events(reply): StreamEvents {
    const started = response(reply, 'in_progress', []);
    const before = responsesPrelude(reply);
    const output_index = before.items.length;
    const at = { item_id: itemId(reply), output_index, content_index: 0 };
    const opening = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...before.events,
      { type: 'response.output_item.added', output_index, item: messageItem(reply, 'in_progress') },
      { type: 'response.content_part.added', ...at, part: outputText('') },
    ];
    const closing = () => {
      const item = messageItem(reply, 'completed');
      const status = finalStatus(reply);
      return [
        { type: 'response.output_text.done', ...at, text: reply.text, logprobs: [] },
        { type: 'response.content_part.done', ...at, part: outputText(reply.text) },
        { type: 'response.output_item.done', output_index, item },
        { type: `response.${status}`, response: response(reply, status, [...before.items, item]) },
      ];
    };
    const numbered = <T extends { type: string }>(event: T, sequence_number: number): string =>
      typedEvent({ ...event, sequence_number });
    const delta = eventWithSlots(
      typedEvent({
        type: 'response.output_text.delta',
        ...at,
        delta: TEXT_SLOT,
        logprobs: [],
        sequence_number: NUMBER_SLOT,
      }),
    );
    return {
      opening: opening.map(numbered),
      delta: (text, index) => delta(text, opening.length + index),
      closing: () => {
        const first = opening.length + reply.pieces.length;
        return closing().map((event, index) => numbered(event, first + index));
      },
    };
  },
};

function promptOf(input: string | readonly z.infer<typeof inputItem>[]): PromptMessage[] {
  if (typeof input === 'string') return [{ role: 'user', text: input }];
  return input.map((item) => ({
    role: item.role ?? 'user',
    text: 'content' in item ? contentText(item.content) : JSON.stringify(item),
  }));
}

function finalStatus(reply: TextReply): 'completed' | 'incomplete' {
  return reply.finish === 'length' ? 'incomplete' : 'completed';
}

function response(reply: TextReply, status: string, output: readonly object[]): object {
  const ended = status !== 'in_progress';
  return {
    id: `resp_${reply.requestId}`,
    object: 'response',
    created_at: reply.created,
    status,
    model: reply.model,
    output,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    top_p: 1,
    tools: [],
    tool_choice: 'auto',
    ...(reply.serviceTier === null ? {} : { service_tier: reply.serviceTier }),
    usage: ended ? responsesUsage(reply) : null,
  };
}

function itemId(reply: TextReply): string {
  return `msg_${reply.requestId}`;
}

function messageItem(reply: TextReply, status: 'in_progress' | 'completed'): object {
  const content = status === 'completed' ? [outputText(reply.text)] : [];
  const ended = status === 'completed' ? finalStatus(reply) : status;
  return { id: itemId(reply), type: 'message', status: ended, role: 'assistant', content };
}

function outputText(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function responsesUsage(reply: TextReply): object {
  const { input, output, cacheRead, cacheWrite } = reply.usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: toldOutput(reply),
    output_tokens_details: { reasoning_tokens: toldReasoning(reply) },
    total_tokens: input + output,
  };
}

interface TypedEvent {
  readonly type: string;
  readonly output_index: number;
  readonly item?: object;
  readonly item_id?: string;
}

interface ResponsesPrelude {
  /** Output items, ended. */
  readonly items: readonly object[];
  /** The events by which they come, without their sequence numbers. */
  readonly events: readonly TypedEvent[];
}

/** What stands in the output of a response before its message: the reasoning, then one item for each search. */
function responsesPrelude({ requestId, reasoning, searches }: TextReply): ResponsesPrelude {
  const thought = reasoning === null ? [] : [{ id: `rs_${requestId}`, type: 'reasoning', summary: [] }];
  const searched = searches.map((query, index) => searchItem(`ws_${requestId}_${index}`, query, 'completed'));
  return {
    items: [...thought, ...searched],
    events: [
      ...thought.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      ...searches.flatMap((query, index) => searchEvents(requestId, query, index, thought.length + index)),
    ],
  };
}

function searchEvents(
  requestId: string,
  query: string,
  index: number,
  output_index: number,
): readonly TypedEvent[] {
  const item_id = `ws_${requestId}_${index}`;
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: searchItem(item_id, query, 'in_progress'),
    },
    ...['in_progress', 'searching', 'completed'].map((step) => ({
      type: `response.web_search_call.${step}`,
      output_index,
      item_id,
    })),
    {
      type: 'response.output_item.done',
      output_index,
      item: searchItem(item_id, query, 'completed'),
    },
  ];
}

function searchItem(id: string, query: string, status: 'in_progress' | 'completed'): object {
  return { id, type: 'web_search_call', status, action: { type: 'search', query } };
}
