import { expect, test } from 'vitest';
import type { TextKind } from '../../core/call-kind.ts';
import { createTextStream } from '../../wire/text-stream.ts';
import { classOfEvent } from './stream-reading.ts';

const cases: readonly [TextKind, string, string, string][] = [
  ['chat', '', '[DONE]', 'terminator'],
  ['responses', '', '[DONE]', 'unknown'],
  ['chat', '', '{"choices":[{"delta":{"content":"x"}}]}', 'delta'],
  ['chat', '', '{"choices":[{"delta":{"role":"assistant","content":""}}]}', 'control'],
  ['chat', '', '{"choices":[],"usage":{"prompt_tokens":1}}', 'usage'],
  ['chat', '', '{"error":{"message":"x"}}', 'error'],
  ['chat', '', '{"note":1}', 'unknown'],
  ['chat', '', '{"choices":', 'malformed'],
  ['responses', '', '{"type":"response.created","response":{"usage":null}}', 'control'],
  ['responses', '', '{"type":"response.output_text.delta","delta":"x"}', 'delta'],
  ['responses', '', '{"type":"response.completed","response":{"usage":{"input_tokens":1}}}', 'terminator'],
  ['responses', '', '{"type":"response.failed","response":{}}', 'error'],
  ['messages', 'ping', '{"type":"ping"}', 'ping'],
  ['messages', '', '{"type":"message_start","message":{"usage":{"input_tokens":1}}}', 'usage'],
  ['messages', '', '{"type":"content_block_stop","index":0}', 'control'],
  ['messages', '', '{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}', 'delta'],
  ['messages', 'message_stop', '{"type":"message_stop"}', 'terminator'],
  ['messages', 'error', '{"type":"error"}', 'error'],
  ['messages', 'novel', '{"type":"novel"}', 'unknown'],
];

test.each(cases)('%s %j %s is %s', (kind, type, data, expected) => {
  const event = { type, data };
  expect(classOfEvent(kind, event, createTextStream(kind).event(event))).toBe(expected);
});
