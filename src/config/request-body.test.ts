import { expect, it } from 'vitest';
import type { Problem } from './problem.ts';
import { mergeBody, readExtra, refuseReserved, whyReserved } from './request-body.ts';

it('merges objects to their depths and replaces all else', () => {
  const base = { a: { b: 1, c: [1, 2] }, d: 'kept', e: { f: 1 } };
  expect(mergeBody(base, { a: { c: [3], g: null }, e: 5 })).toEqual({
    a: { b: 1, c: [3], g: null },
    d: 'kept',
    e: 5,
  });
});

it('reads the values of --extra as JSON, else as text, and dots as objects', () => {
  const problems: Problem[] = [];
  const body = readExtra(
    ['temperature=0.7', 'a.b=[1]', 'a.c=x=y', 'flag=true', 'stop="1"', 'stop2=1.', 'empty='],
    problems,
  );
  expect(body).toEqual({
    temperature: 0.7,
    a: { b: [1], c: 'x=y' },
    flag: true,
    stop: '1',
    stop2: '1.',
    empty: '',
  });
  expect(problems).toEqual([]);
});

it('names an --extra that has no key', () => {
  const problems: Problem[] = [];
  expect(readExtra(['temperature', '=1', 'a..b=1'], problems)).toEqual({});
  expect(problems.map(({ at, found }) => [at, found])).toEqual([
    ['--extra', '"temperature"'],
    ['--extra', '"=1"'],
    ['--extra', '"a..b=1"'],
  ]);
});

it('keeps what Weighbridge measures by to itself, once for all scenarios', () => {
  const problems: Problem[] = [];
  for (const kind of ['chat', 'responses'] as const) refuseReserved(kind, { model: 'x', top_p: 1 }, problems);
  expect(problems.map(({ at, path, rule }) => `${at} ${path}: ${rule}`)).toEqual([
    '--extra model: is set by model, by which calls are priced and measured',
  ]);
  expect(whyReserved('chat', 'response_format')).toBeNull();
  expect(whyReserved('image', 'response_format')).not.toBeNull();
  expect(whyReserved('chat', 'toString')).toBeNull();
});
