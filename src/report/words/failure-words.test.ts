import { expect, it } from 'vitest';
import type { FailureGroup, KindResult } from '../../contracts/load-result.ts';
import { measurementOf } from '../report.test-support.ts';
import { failureWords } from './failure-words.ts';

function group(changes: Partial<FailureGroup>): FailureGroup {
  return { outcome: 'http_error', status: 400, error_code: null, message: null, count: 1, ...changes };
}

function kinds(failures: Readonly<Partial<Record<'chat' | 'image', readonly FailureGroup[]>>>): KindResult[] {
  const { load } = measurementOf(['chat', 'image']);
  return load.kinds.map((result) => ({
    ...result,
    failures: (result.kind === 'chat' || result.kind === 'image' ? failures[result.kind] : undefined) ?? [],
  }));
}

it('names kind, count, outcome, a refusing status and the code', () => {
  const words = failureWords(
    kinds({
      chat: [group({ outcome: 'truncated', status: 200, count: 4 })],
      image: [group({ error_code: 'bad_size', count: 9 })],
    }),
    80,
  );
  expect(words).toEqual(['chat 4 truncated', 'image 9 http_error 400 bad_size']);
});

it('shares the width among the messages: a long one takes what a short one leaves', () => {
  const both = kinds({
    chat: [group({ message: 'busy' })],
    image: [group({ message: `the model makes ${'1024x1024, '.repeat(20)}` })],
  });
  const words = failureWords(both, 90);
  expect(words[0]).toBe('chat 1 http_error 400: busy');
  expect(words[1]).toMatch(/^image 1 http_error 400: the model makes 1024x1024, .*…$/);
  expect(words.join(' · ').length).toBeLessThanOrEqual(90);
  expect(words.join(' · ').length).toBeGreaterThan(85);
});

it('leaves a message out where no room is for it', () => {
  expect(failureWords(kinds({ chat: [group({ message: 'a message of some length' })] }), 30)).toEqual([
    'chat 1 http_error 400',
  ]);
});

it('lets no text of the target steer the terminal', () => {
  const message = 'one\u001b[31m\ntwo\u0007\u202e three';
  expect(failureWords(kinds({ chat: [group({ message, error_code: 'x\u001by' })] }), 90)).toEqual([
    'chat 1 http_error 400 x y: one [31m two three',
  ]);
});

it('is empty where nothing failed', () => {
  expect(failureWords(kinds({}), 80)).toEqual([]);
});

it('tells how many failed of codes that are not told, and first where they are the most', () => {
  const groups = Array.from({ length: 10 }, (_, code) => group({ error_code: `code_${code}`, count: 3 }));
  const words = (http_error: number) =>
    failureWords(
      kinds({ chat: groups }).map((figures) => ({ ...figures, outcomes: { ok: 1, aborted: 7, http_error } })),
      80,
    );
  expect(words(3405)[0]).toBe('chat 3375 of further codes');
  expect(words(32).at(-1)).toBe('chat 2 of further codes');
  expect(words(30)).toHaveLength(10);
});
