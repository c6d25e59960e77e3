import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODE_POINT } from '../../core/code-point.test-support.ts';
import { chatFormat } from './chat-format.ts';
import { eventWithSlots } from './event-slots.ts';
import { messagesFormat } from './messages-format.ts';
import { responsesFormat } from './responses-format.ts';
import type { TextReply } from './text-format.ts';

const REPLY: TextReply = {
  requestId: '20261121004834000004ddfo66za',
  created: 1_795_000_000,
  model: 'juniper "quoted" model',
  text: 'ab',
  pieces: ['a', 'b'],
  finish: 'stop',
  usage: { input: 3, output: 2, cacheRead: 0, cacheWrite: 0 },
  reasoning: null,
  reasoningBeside: false,
  serviceTier: null,
  searches: [],
  includeUsage: true,
  usagePlace: 'last_chunk',
};

/** The JSON of an event. */
function dataOf(event: string): unknown {
  const match = /^(?:event: (?<type>.+)\n)?data: (?<json>.+)\n\n$/s.exec(event);
  return JSON.parse(match?.groups?.['json'] ?? '');
}

const at = { output_index: 0, content_index: 0, item_id: `msg_${REPLY.requestId}` };

test('property: an event of any text says that text, in each format, and counts where events are counted', () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), fc.nat(10_000), (text, index) => {
      expect(dataOf(chatFormat.events(REPLY).delta(text, index))).toEqual({
        id: `chatcmpl-${REPLY.requestId}`,
        object: 'chat.completion.chunk',
        created: REPLY.created,
        model: REPLY.model,
        choices: [{ index: 0, delta: { content: text }, logprobs: null, finish_reason: null }],
      });
      expect(dataOf(messagesFormat.events(REPLY).delta(text, index))).toEqual({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      });
      expect(dataOf(responsesFormat.events(REPLY).delta(text, index))).toEqual({
        type: 'response.output_text.delta',
        ...at,
        delta: text,
        logprobs: [],
        sequence_number: 4 + index,
      });
    }),
  );
});

test('an event without its slot is refused', () => {
  expect(() => eventWithSlots('data: {}\n\n')).toThrow(RangeError);
});
