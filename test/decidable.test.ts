import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OWN_READINGS, type Readings, readingsSchema } from '../src/gateway/readings/readings.ts';
import { DECIDABLE, decidableIn, type Manner, type Untold, worldOf } from './support/decidable.ts';
import { corpusNames, corpusRows, nameOf } from './support/fault-corpus.ts';

const FOLDER = new URL('corpus/decidable/', import.meta.url);

it('the committed table is what the model writes, byte for byte', () => {
  const { status, stdout, stderr } = spawnSync('python3', ['-B', 'main.py'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(readFileSync(new URL('decidable.json', FOLDER), 'utf8'));
});

it('each fault of a bill has one row, in the order of the corpus', () => {
  expect(DECIDABLE.map(({ fault }) => fault)).toEqual(corpusNames('bill.'));
});

it('a bounded verdict says what bounds it', () => {
  const bounded = DECIDABLE.flatMap(({ fault, verdict, bound, lowers }) => [
    { fault, to: verdict, bound },
    ...lowers.map((one) => ({ fault, ...one })),
  ]).filter(({ to }) => to === 'bounded');
  expect(bounded.length).toBeGreaterThan(50);
  expect(bounded.filter(({ bound }) => bound === null)).toEqual([]);
});

it('each reading that the table names is one of the embedded gateway', () => {
  const beside = new Set(['by', 'key', 'settling', 'scope', 'factor', 'call']);
  const named = new Set(DECIDABLE.flatMap(({ lowers }) => lowers.flatMap(({ when }) => when)));
  const strange = [...named].filter((condition) => {
    const [name = '', value = ''] = condition.split('=');
    if (beside.has(name)) return false;
    return !readingsSchema.safeParse({ [name]: value === 'false' ? false : value }).success;
  });
  expect(strange).toEqual([]);
});

function verdict(fault: string, readings: Partial<Readings>, by: Manner = 'run'): string {
  return decidableIn(fault, worldOf({ ...OWN_READINGS, ...readings }, by)).verdict;
}

it('the weakest of all that holds in a world decides', () => {
  const fault = 'bill.phantom_record';
  expect(verdict(fault, {})).toBe('proved');
  expect(verdict(fault, {}, 'ledger')).toBe('bounded');
  expect(verdict(fault, { call_records: 'inner_retries' }, 'ledger')).toBe('no');
});

it('an id in an unknown header names the call in our own ledger, and in no other', () => {
  const fault = 'bill.token_mismatch, variant input';
  for (const request_id of ['other_header', 'in_body'] as const) {
    expect(verdict(fault, { request_id })).toBe('proved');
    expect(verdict(fault, { request_id }, 'ledger')).toBe('no');
  }
  expect(verdict(fault, { request_id: 'nowhere' })).toBe('no');
});

it('two conditions lower only together', () => {
  const fault = 'bill.missing_refund, jobs and tasks';
  expect(verdict(fault, { values: 'other' })).toBe('proved');
  expect(verdict(fault, { values: 'other' }, 'month')).toBe('no');
});

it('a factor lowers where no document tells it', () => {
  const fault = 'bill.multiplier_hidden';
  expect(verdict(fault, { price_factor: '0.85', factor_told: true })).toBe('proved');
  expect(verdict(fault, { price_factor: '0.85' })).toBe('bounded');
});

it('a fault may be found as another class', () => {
  const rewritten = worldOf({ ...OWN_READINGS, unused_reserve: 'rewritten' }, 'run');
  expect(decidableIn('bill.settle_above_reserve', rewritten)).toMatchObject({
    verdict: 'proved',
    as: 'amount_mismatch',
  });
});

it('an unknown fault has no verdict', () => {
  expect(() => decidableIn('bill.unheard_of', worldOf(OWN_READINGS, 'run'))).toThrow('no row');
});

it.each<[string, Manner, readonly Untold[]]>([
  ['by run', 'run', []],
  ['by a foreign ledger', 'ledger', []],
  ['by month', 'month', []],
  ['by run, no time to settle declared', 'run', ['settling=untold']],
])('the page tells how much is left %s', (title, by, untold) => {
  const world = worldOf(OWN_READINGS, by, untold);
  const classed = corpusRows('bill.').flatMap((row) =>
    row.class === null ? [] : [{ class: row.class, is: decidableIn(nameOf(row), world).verdict }],
  );
  const count = (wanted: string): number => classed.filter(({ is }) => is === wanted).length;
  const classes = new Set(classed.filter(({ is }) => is !== 'no').map((one) => one.class)).size;
  const page = readFileSync(new URL('../docs/decisions/0021-what-is-decidable.md', import.meta.url), 'utf8');
  expect(page).toContain(`Of the ${classed.length} planted faults that have a class`);
  expect(page).toContain(
    `| ${title} | ${count('proved')} | ${count('bounded')} | ${count('no')} | ${classes} |`,
  );
});

it('a fault shows as another class also where a second reading lowers its verdict', () => {
  const world = worldOf({ ...OWN_READINGS, unused_reserve: 'zeroed', book_declares: false }, 'run');
  expect(decidableIn('bill.settle_above_reserve', new Set([...world, 'settling=untold'])).as).toBe(
    'amount_mismatch',
  );
});
