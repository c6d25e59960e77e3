import assert from 'node:assert/strict';
import { isObject, type JsonObject, objectsIn, parseJson } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import {
  CHAT,
  chatBody,
  MESSAGES,
  messagesBody,
  RESPONSES,
  responsesBody,
  type StreamReply,
} from '../service.ts';

type Service = Parameters<RequirementCase['run']>[0];

const FORMATS = ['chat', 'responses', 'messages'] as const;
const BODIES = { chat: chatBody, responses: responsesBody, messages: messagesBody };
const PATHS = { chat: CHAT, responses: RESPONSES, messages: MESSAGES };

/** Something of every kind of JSON that is no string. */
const ODD_CONTENTS = [7, true, null, { note: 'kept' }, ['a', 2, { type: 'text', text: 'hello' }]];

function refuses(
  name: string,
  id: RequirementCase['requires'][0],
  ask: (service: Service) => Promise<Reply>,
): RequirementCase {
  return { name, requires: [id], run: async (service) => assert.equal((await ask(service)).status, 400) };
}

/** A stream of a format that ends by itself, read once for all cases. */
function streamOf(service: Service, format: (typeof FORMATS)[number]): Promise<StreamReply> {
  const unlimited = format === 'messages' ? { max_tokens: 4000 } : { max_tokens: undefined };
  const body = BODIES[format]({ stream: true, ...unlimited, max_output_tokens: undefined });
  return service.once(`stream ${format}`, () => service.stream(PATHS[format], body));
}

function dataOf({ events }: StreamReply): JsonObject[] {
  return events.map(({ data }) => parseJson(data)).filter((value) => isObject(value));
}

/** The message items of a responses-style answer, whatever their type is called. */
function itemsOf(reply: Reply): JsonObject[] {
  return objectsIn(reply.at('output'));
}

export const TEXT_CASES: readonly RequirementCase[] = [
  ...FORMATS.flatMap((format): RequirementCase[] => [
    {
      name: `a ${format} call is answered with 200 and a JSON object`,
      requires: [`${format}.json_object`],
      run: async (service) => {
        const reply = await service[format]();
        assert.equal(reply.status, 200);
        assert.match(reply.type, /^application\/json/);
        assert.ok(isObject(reply.json));
      },
    },
    {
      name: `a ${format} call needs no stream field`,
      requires: [`${format}.stream_optional`],
      run: async (service) => assert.ok(isObject((await service[format]({ stream: undefined })).json)),
    },
    refuses(
      `a ${format} call with a stream field that is no boolean is refused`,
      `${format}.stream_boolean`,
      (service) => service[format]({ stream: 'yes' }),
    ),
    refuses(`a ${format} call without a model is refused`, `${format}.model_required`, (service) =>
      service[format]({ model: undefined }),
    ),
    refuses(`a ${format} call whose model is no string is refused`, `${format}.model_string`, (service) =>
      service[format]({ model: 7 }),
    ),
    {
      name: `a streamed ${format} call is answered with an event stream`,
      requires: [`${format}.stream_type`],
      run: async (service) =>
        assert.match((await streamOf(service, format)).reply.type, /^text\/event-stream/),
    },
  ]),
  ...(['chat', 'messages'] as const).flatMap((format): RequirementCase[] => [
    refuses(`a ${format} call without messages is refused`, `${format}.messages_required`, (service) =>
      service[format]({ messages: undefined }),
    ),
    refuses(
      `a ${format} call whose messages are no array is refused`,
      `${format}.messages_array`,
      (service) => service[format]({ messages: 'hello' }),
    ),
    refuses(`a ${format} message without a role is refused`, `${format}.role_required`, (service) =>
      service[format]({ messages: [{ content: 'hello' }] }),
    ),
    refuses(`a ${format} message without content is refused`, `${format}.content_required`, (service) =>
      service[format]({ messages: [{ role: 'user' }] }),
    ),
    {
      name: `the content of a ${format} message is any JSON`,
      requires: [`${format}.content_any_json`],
      run: async (service) => {
        for (const content of ODD_CONTENTS) {
          const { status } = await service[format]({ messages: [{ role: 'user', content }] });
          assert.equal(status, 200, JSON.stringify(content));
        }
      },
    },
  ]),
  refuses('a messages call without max_tokens is refused', 'messages.max_tokens_required', (service) =>
    service.messages({ max_tokens: undefined }),
  ),
  refuses('a messages call with max_tokens of 0 is refused', 'messages.max_tokens_minimum', (service) =>
    service.messages({ max_tokens: 0 }),
  ),
  {
    name: 'a messages call takes max_tokens of 1',
    requires: ['messages.max_tokens_one'],
    run: async (service) => assert.equal((await service.messages({ max_tokens: 1 })).status, 200),
  },
  refuses(
    'a messages call with a fraction as max_tokens is refused',
    'messages.max_tokens_integer',
    (service) => service.messages({ max_tokens: 1.5 }),
  ),
  refuses('a messages call with text as max_tokens is refused', 'messages.max_tokens_integer', (service) =>
    service.messages({ max_tokens: '5' }),
  ),
  refuses('a responses call without input is refused', 'responses.input_required', (service) =>
    service.responses({ input: undefined }),
  ),
  {
    name: 'the input of a responses call is a string',
    requires: ['responses.input_string'],
    run: async (service) => {
      assert.equal((await service.responses({ input: 'a longer question, in one string' })).status, 200);
    },
  },
  {
    name: 'a responses answer has an output array',
    requires: ['responses.output_array'],
    run: async (service) => assert.ok(Array.isArray((await service.responses()).at('output'))),
  },
  {
    name: 'a responses answer has a message item with a content array',
    requires: ['responses.message_item'],
    run: async (service) => {
      const message = itemsOf(await service.responses()).find(({ type }) => type === 'message');
      assert.ok(Array.isArray(message?.['content']));
    },
  },
  {
    name: 'a responses message carries its text in output_text parts',
    requires: ['responses.output_text'],
    run: async (service) => {
      const parts = itemsOf(await service.responses()).flatMap((item) => objectsIn(item['content']));
      const text = parts.find(({ type }) => type === 'output_text')?.['text'];
      assert.ok(typeof text === 'string' && text !== '');
    },
  },
  {
    name: 'every event of a chat stream but the last is JSON',
    requires: ['chat.stream_json'],
    run: async (service) => {
      const { events } = await streamOf(service, 'chat');
      const texts = events.map(({ data }) => data).filter((data) => data !== '[DONE]');
      assert.ok(texts.length > 0);
      for (const text of texts) assert.ok(isObject(parseJson(text)), text);
    },
  },
  {
    name: 'a chat stream carries text in its deltas',
    requires: ['chat.stream_delta'],
    run: async (service) => {
      const pieces = dataOf(await streamOf(service, 'chat'))
        .flatMap((event) => objectsIn(event['choices']))
        .flatMap(({ delta }) =>
          isObject(delta) && typeof delta['content'] === 'string' ? [delta['content']] : [],
        );
      assert.notEqual(pieces.join(''), '');
    },
  },
  {
    name: 'a chat stream ends with [DONE]',
    requires: ['chat.stream_done'],
    run: async (service) => {
      const { events } = await streamOf(service, 'chat');
      assert.equal(events.at(-1)?.data, '[DONE]');
      assert.equal(events.filter(({ data }) => data === '[DONE]').length, 1);
    },
  },
  {
    name: 'a responses stream carries text in its deltas',
    requires: ['responses.stream_delta'],
    run: async (service) => {
      const pieces = dataOf(await streamOf(service, 'responses'))
        .filter(({ type }) => type === 'response.output_text.delta')
        .map(({ delta }) => delta);
      assert.ok(pieces.length > 0);
      for (const piece of pieces) assert.equal(typeof piece, 'string');
    },
  },
  {
    name: 'a responses stream ends with response.completed',
    requires: ['responses.stream_completed'],
    run: async (service) => {
      assert.equal(dataOf(await streamOf(service, 'responses')).at(-1)?.['type'], 'response.completed');
    },
  },
  {
    name: 'the events of a messages stream have the types of its format',
    requires: ['messages.stream_types'],
    run: async (service) => {
      const types = (await streamOf(service, 'messages')).events.map(({ event }) => event);
      for (const type of ['message_start', 'content_block_delta', 'message_delta']) {
        assert.ok(types.includes(type), type);
      }
    },
  },
  {
    name: 'a messages stream ends with message_stop',
    requires: ['messages.stream_stop'],
    run: async (service) => {
      assert.equal((await streamOf(service, 'messages')).events.at(-1)?.event, 'message_stop');
    },
  },
  {
    name: 'a stream has no events of another format',
    requires: ['streams.formats_differ'],
    run: async (service) => {
      for (const format of FORMATS) {
        const types = dataOf(await streamOf(service, format)).map(({ type }) => String(type ?? 'chat'));
        const foreign = types.filter((type) => formatOf(type) !== format);
        assert.deepEqual(foreign, [], format);
      }
    },
  },
  {
    name: 'a stream that the client leaves after text is recorded as used',
    requires: ['streams.cut_is_used'],
    run: async ({ slow }) => {
      const { key } = await slow.customer();
      const { requestId, leave } = await slow.openChat(key);
      leave();
      const { amount } = await slow.endedRecord(key, requestId);
      assert.ok(Number(amount) > 0);
    },
  },
];

function formatOf(type: string): (typeof FORMATS)[number] {
  if (type === 'chat') return 'chat';
  return type.startsWith('response.') ? 'responses' : 'messages';
}
