import { expect, test } from 'vitest';
import { askJudges, type Judge } from './judge.ts';
import { makeFinding } from './make-finding.ts';
import { habit, WARRANTS } from './warrants.ts';

const PARTS = {
  class: 'amount_mismatch',
  rule: 'amount',
  confidence: 'proved',
  delta: 1n,
  evidence: ['record:a'],
  explanation: '',
  next_step: '',
} as const;

test.each([
  [99, 0, false],
  [100, 0, true],
  [100, 2, true],
  [100, 3, false],
  [149, 3, false],
  [150, 3, true],
])('%i telling records with %i exceptions: a habit is %s', (telling, exceptions, holds) => {
  expect(habit('amounts', { telling, exceptions }) !== null).toBe(holds);
});

test('an exception to a habit is bounded and never grave, whatever its judge says', () => {
  const by = habit('amounts are net', { telling: 200, exceptions: 1 });
  if (by === null) throw new Error('no habit');
  const finding = makeFinding({ ...PARTS, warrant: by });
  expect(finding).toMatchObject({
    severity: 'S3',
    confidence: 'bounded',
    warrant: { kind: 'habit', of: 'amounts are net: 200 records tell, 1 are exceptions' },
  });
  expect(makeFinding({ ...PARTS, warrant: WARRANTS.price_book })).toMatchObject({
    severity: 'S1',
    confidence: 'proved',
  });
});

test('a judge that accuses by another warrant than its own is a fault of ours', () => {
  const judge: Judge<null> = {
    name: 'amounts',
    question: 'Is it due?',
    classes: ['amount_mismatch'],
    warrants: ['sentence'],
    judge: () => [makeFinding({ ...PARTS, warrant: WARRANTS.price_book })],
  };
  expect(() => askJudges([judge], null)).toThrow('accuses by a document');
  expect(askJudges([{ ...judge, warrants: ['document'] }], null)).toHaveLength(1);
});
