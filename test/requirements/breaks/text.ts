import { type Json, objectsIn, valueAt } from '../json.ts';
import { CHAT, MESSAGES, RESPONSES } from '../service.ts';
import {
  type Asked,
  accepting,
  askedOf,
  asking,
  changing,
  jsonAnswer,
  jsonOf,
  refusing,
  type ServiceBreak,
  streaming,
  typeInstead,
} from '../service-break.ts';

const PATHS = { chat: CHAT, responses: RESPONSES, messages: MESSAGES };
type Format = keyof typeof PATHS;

/** Takes a request with this fault. */
function takes(instead: string, format: Format, fault: (json: Asked['json']) => boolean): ServiceBreak {
  return accepting(instead, { path: PATHS[format], status: 400, asks: ({ json }) => fault(json) });
}

function firstMessage(json: Asked['json'], field: string): Json | undefined {
  return valueAt(json, ['messages', 0, field]);
}

const isStreamed = ({ json }: Asked): boolean => json['stream'] === true;

function textBreaks<F extends Format>(format: F): Readonly<Record<`${F}.${TextClaim}`, ServiceBreak>>;
function textBreaks(format: Format): Readonly<Record<string, ServiceBreak>> {
  const path = PATHS[format];
  return {
    [`${format}.json_object`]: typeInstead(
      'serves the answer as text',
      { path, status: 200, asks: (asked) => !isStreamed(asked) },
      'text/plain',
    ),
    [`${format}.stream_optional`]: asking(
      'streams unless told not to',
      { path, asks: ({ json }) => json['stream'] === undefined },
      (request, { json }) => ({ ...request, body: Buffer.from(JSON.stringify({ ...json, stream: true })) }),
    ),
    [`${format}.stream_boolean`]: takes('takes any stream field', format, (json) => json['stream'] === 'yes'),
    [`${format}.model_required`]: takes(
      'has a model of its own',
      format,
      (json) => 'stream' in json && !('model' in json),
    ),
    [`${format}.model_string`]: takes('takes a number as model', format, (json) => json['model'] === 7),
    [`${format}.stream_type`]: typeInstead(
      'serves streams as text',
      { path, status: 200, asks: isStreamed },
      'text/plain',
    ),
  };
}

type TextClaim =
  | 'json_object'
  | 'stream_optional'
  | 'stream_boolean'
  | 'model_required'
  | 'model_string'
  | 'stream_type';

type MessageClaim =
  | 'messages_required'
  | 'messages_array'
  | 'role_required'
  | 'content_required'
  | 'content_any_json';

function messageBreaks<F extends Format>(format: F): Readonly<Record<`${F}.${MessageClaim}`, ServiceBreak>>;
function messageBreaks(format: Format): Readonly<Record<string, ServiceBreak>> {
  return {
    [`${format}.messages_required`]: takes(
      'takes no messages for an empty talk',
      format,
      (json) => 'model' in json && !('messages' in json),
    ),
    [`${format}.messages_array`]: takes(
      'takes text as messages',
      format,
      (json) => typeof json['messages'] === 'string',
    ),
    [`${format}.role_required`]: takes(
      'takes a message without a role',
      format,
      (json) => firstMessage(json, 'content') !== undefined && firstMessage(json, 'role') === undefined,
    ),
    [`${format}.content_required`]: takes(
      'takes a message without content',
      format,
      (json) => firstMessage(json, 'role') !== undefined && firstMessage(json, 'content') === undefined,
    ),
    [`${format}.content_any_json`]: refusing('takes text only', {
      path: PATHS[format],
      asks: ({ json }) => typeof (firstMessage(json, 'content') ?? 7) !== 'string',
    }),
  };
}

/** Changes the data of the events that match, as text. */
function eventsWith(pattern: RegExp, change: (event: string) => string) {
  return (events: readonly string[]): string[] =>
    events.map((event) => (pattern.test(event) ? change(event) : event));
}

export const TEXT_BREAKS = {
  ...textBreaks('chat'),
  ...textBreaks('responses'),
  ...textBreaks('messages'),
  ...messageBreaks('chat'),
  ...messageBreaks('messages'),
  'messages.max_tokens_required': takes(
    'has a max_tokens of its own',
    'messages',
    (json) => !('max_tokens' in json),
  ),
  'messages.max_tokens_minimum': takes('takes 0 max_tokens', 'messages', (json) => json['max_tokens'] === 0),
  'messages.max_tokens_one': refusing('wants two max_tokens at least', {
    path: MESSAGES,
    asks: ({ json }) => json['max_tokens'] === 1,
  }),
  'messages.max_tokens_integer': takes('takes any max_tokens', 'messages', (json) =>
    [1.5, '5'].some((value) => value === json['max_tokens']),
  ),
  'responses.input_required': takes('takes no input', 'responses', (json) => {
    return 'model' in json && !('input' in json);
  }),
  'responses.input_string': refusing('takes items only', {
    path: RESPONSES,
    asks: ({ json }) => typeof json['input'] === 'string' && json['input'].startsWith('a longer'),
  }),
  'responses.output_array': changing('gives the output by number', { path: RESPONSES }, (body) => {
    if (body['output'] !== undefined) body['output'] = { ...objectsIn(body['output']) };
  }),
  'responses.message_item': changing('gives the content by number', { path: RESPONSES }, (body) => {
    for (const item of objectsIn(body['output'])) item['content'] = { ...objectsIn(item['content']) };
  }),
  'responses.output_text': changing('calls its parts text', { path: RESPONSES }, (body) => {
    for (const item of objectsIn(body['output'])) {
      for (const part of objectsIn(item['content'])) part['type'] = 'text';
    }
  }),
  'chat.stream_json': streaming('sends a line of prose', { path: CHAT }, ([first = '', ...rest]) => [
    first,
    'data: one moment',
    ...rest,
  ]),
  'chat.stream_delta': streaming(
    'calls the text of a delta otherwise',
    { path: CHAT },
    eventsWith(/"content":"[^"]/, (event) => event.replace('"content":', '"text":')),
  ),
  'chat.stream_done': streaming('ends without a word', { path: CHAT }, (events) =>
    events.filter((event) => event !== 'data: [DONE]'),
  ),
  'responses.stream_delta': streaming(
    'gives deltas as lists',
    { path: RESPONSES },
    eventsWith(/output_text\.delta/, (event) => event.replace(/"delta":("(?:[^"\\]|\\.)*")/, '"delta":[$1]')),
  ),
  'responses.stream_completed': streaming('ends without a word', { path: RESPONSES }, (events) =>
    events.slice(0, -1),
  ),
  'messages.stream_types': streaming(
    'names its events otherwise',
    { path: MESSAGES },
    eventsWith(/^event: content_block_delta/, (event) => event.replace('block_delta', 'block_piece')),
  ),
  'messages.stream_stop': streaming('ends without a word', { path: MESSAGES }, (events) =>
    events.slice(0, -1),
  ),
  'streams.formats_differ': streaming('mixes the formats', { path: CHAT }, ([first = '', ...rest]) => [
    first,
    'data: {"type":"response.in_progress"}',
    ...rest,
  ]),
  'streams.cut_is_used': {
    instead: 'gives a stream that was left for nothing',
    start: () => {
      const left = new Set<string>();
      return async (request, forward) => {
        const answer = await forward(request);
        const { path } = askedOf(request);
        const id = String(answer.headers['x-oneapi-request-id']);
        if (path === CHAT) request.left.addEventListener('abort', () => left.add(id));
        if (path !== '/v1/usage/requests') return answer;
        const body = await jsonOf(answer);
        for (const record of objectsIn(body['data'])) {
          if (left.has(String(record['request_id']))) record['amount'] = '0';
        }
        return jsonAnswer(answer.status, body);
      };
    },
  },
} as const satisfies Readonly<Record<string, ServiceBreak>>;
