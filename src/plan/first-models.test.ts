import { expect, test } from 'vitest';
import { firstModels } from './choose-models.ts';
import { configOf } from './plan.test-support.ts';

const { traffic } = configOf('traffic: [{kind: chat, rate: 1/s}]\n');

test('the first text model of the list is called where none is configured', () => {
  const list = ['nomic-embed-text', 'whisper-1', 'llama3.2:1b', 'other'];
  expect(firstModels(traffic, list).chosen).toEqual([
    { scenario: 'chat', model: 'llama3.2:1b', why: 'first text model of the list' },
  ]);
});

test('a configured model is called, listed or not', () => {
  const own = configOf('traffic: [{kind: chat, rate: 1/s, model: mine}]\n').traffic;
  expect(firstModels(own, null).chosen).toMatchObject([{ model: 'mine' }]);
});

test.each([
  [null, /gave no readable list/],
  [[], /lists no model/],
  [['text-embedding-3'], /lists text-embedding-3/],
])('names --model where the list is %o', (list, message) => {
  expect(() => firstModels(traffic, list)).toThrow(message);
  expect(() => firstModels(traffic, list)).toThrow(
    expect.objectContaining({
      code: 'model_needed',
      exitCode: 2,
      hint: expect.stringContaining('--model ID'),
    }),
  );
});
