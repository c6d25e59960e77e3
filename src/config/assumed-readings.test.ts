import { expect, test } from 'vitest';
import { READING_VALUES, STATUS_READINGS } from '../contracts/billing-readings.ts';
import { POLICY_ANSWERS } from '../contracts/billing-terms.ts';
import { assumedNames, parseAssumed } from './assumed-readings.ts';
import { policyKeys, readingKeys } from './reading-keys.ts';
import { resolveBilling } from './resolve-billing.ts';

test('takes every value of every reading and policy of the configuration, and names it', () => {
  const listed = Object.entries(READING_VALUES).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  const policies = Object.keys(policyKeys).flatMap((name) =>
    POLICY_ANSWERS.map((value) => [name, value] as const),
  );
  const words = STATUS_READINGS.map((value) => ['status.on=hold', value] as const);
  for (const [name, value] of [...listed, ...policies, ...words, ['rounding', 'half_even/0.0001'] as const])
    expect(assumedNames(parseAssumed([`${name}=${value}`])), `${name}=${value}`).toEqual([name]);
  const known = new Set([...Object.keys(READING_VALUES), 'rounding', 'status']);
  expect(new Set(Object.keys(readingKeys))).toEqual(known);
});

test('stands before the configuration, name by name, and of one name the last counts', () => {
  const file = {
    readings: { amount: 'net', created_at: 'settlement', status: { free: 'waived', void: 'refunded' } },
    policy: { aborted: 'charged' },
  } as const;
  const given = ['amount=gross', 'amount=auto', 'status.void=pending', 'aborted=free', 'rounding=floor/0.01'];
  const { terms } = resolveBilling(file, '/', parseAssumed(given));
  expect(terms.readings).toMatchObject({
    amount: 'auto',
    created_at: 'settlement',
    rounding: { scope: 'untold', mode: 'floor', quantum: '0.01' },
    status: { free: 'waived', void: 'pending' },
  });
  expect(terms.policy).toMatchObject({ aborted: 'free', empty_output: 'unsaid' });
  expect(terms.assumed).toEqual(['amount', 'rounding', 'status.void', 'aborted']);
  expect(resolveBilling(file, '/').terms.assumed).toEqual([]);
});

test.each([
  ['amount', 'must be NAME=VALUE, with NAME one of amount, input_tokens'],
  ['amounts=net', 'must be NAME=VALUE, with NAME one of amount, input_tokens'],
  ['status=waived', 'NAME one of'],
  ['status.=waived', 'NAME one of'],
  ['__proto__=net', 'NAME one of'],
  ['amount=nett', 'must be amount=VALUE, with VALUE one of net, gross, auto, but it is "amount=nett"'],
  ['status.free=gone', 'must be status.free=VALUE, with VALUE one of pending, settled, refunded, waived'],
  ['aborted=never', 'must be aborted=VALUE, with VALUE one of free, charged, unsaid'],
  ['rounding=half_up', 'must be rounding=VALUE, with VALUE one of auto, or MODE/QUANTUM'],
  ['rounding=half_up/0', 'must be rounding=VALUE, with VALUE one of auto, or MODE/QUANTUM'],
])('%s is refused with what may stand there', (text, words) => {
  expect(() => parseAssumed([text])).toThrow(words);
});
