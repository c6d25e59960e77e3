import { expect, test } from 'vitest';
import { createTextStream } from './text-stream.ts';

const output = [
  { type: 'web_search_call' },
  { type: 'web_search_call' },
  { type: 'file_search_call' },
  { type: 'function_call', name: 'mine', arguments: '{}' },
  { type: 'message', content: [{ type: 'output_text', text: 'hi' }] },
];

test("calls of the target's own tools are counted by name", () => {
  const stream = createTextStream('responses');
  stream.event({
    type: 'response.completed',
    data: JSON.stringify({ type: 'response.completed', response: { id: 'r', output } }),
  });
  expect(stream.result().tools).toEqual({ web_search: 2, file_search: 1 });
});

test('an answer that does not list its output tells of no tools', () => {
  expect(createTextStream('responses').result().tools).toBeNull();
});
