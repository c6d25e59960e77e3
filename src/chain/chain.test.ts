import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChainSums, chainSchema } from '../contracts/chain-result.ts';
import { parseAmount } from '../core/amount.ts';
import { formatInstant } from '../core/time.ts';
import { START_MS } from '../reconcile/rows.test-support.ts';
import { boughtFor, chained, foundIn, named, saleOf } from './chain.test-support.ts';
import type { SaleState } from './sale.ts';

const DAY_MS = 86_400_000;

test('what is sold and bought under one id has a margin, by the day and model of the sale', () => {
  const late = { from_ms: START_MS + DAY_MS, to_ms: START_MS + DAY_MS };
  const result = chained(
    [saleOf('a'), saleOf('b', { model: 'text-2', charged: parseAmount('0.5'), ...late })],
    [boughtFor('a'), boughtFor('b', { model: 'text-2', cost: '0.6', at: formatInstant(START_MS) })],
  );
  expect(result).toMatchObject({
    total: { sales: 2, purchases: 2, revenue: '0.5028', cost: '0.602', margin: '-0.0992' },
    lines: [
      { day: '2026-11-20', model: 'text-1', revenue: '0.0028', cost: '0.002', margin: '0.0008' },
      { day: '2026-11-21', model: 'text-2', revenue: '0.5', cost: '0.6', margin: '-0.1' },
    ],
    links: [{ by: 'id', sales: 2, purchases: 2 }],
    models: [
      { sold: 'text-1', bought: 'text-1', calls: 1 },
      { sold: 'text-2', bought: 'text-2', calls: 1 },
    ],
    alone: [],
    findings: [],
  });
  expect(chainSchema.parse(result)).toEqual(result);
});

test('attempts of the gateway are cost without revenue, and no finding', () => {
  const twice = ['up-a', 'up-a2'];
  const result = chained(
    [saleOf('a', { ids: twice, markers: ['wb1'] })],
    [
      boughtFor('a', { cost: '0.0003' }),
      boughtFor('a2', { at: formatInstant(START_MS + 10) }),
      boughtFor('a3', { marker: 'wb1', cost: '0.0001', at: formatInstant(START_MS + 5) }),
    ],
  );
  expect(result).toMatchObject({
    total: { sales: 1, purchases: 3, cost: '0.0024', margin: '0.0004', retried: '0.0004', bought_alone: '0' },
    links: [{ by: 'marker', sales: 1, purchases: 3 }],
    findings: [],
  });
});

test('a reserve and its settlement, or a charge and its credit, are one purchase', () => {
  const result = chained([saleOf('a')], [boughtFor('a'), boughtFor('a', { cost: '-0.0005' })]);
  expect(result.total).toMatchObject({ purchases: 1, cost: '0.0015', retried: '0' });
});

test('a call that succeeded and stands in no record is unbilled; one that failed, or whose record may come, is not', () => {
  const states: readonly SaleState[] = ['unrecorded', 'let_off', 'waiting', 'not_read'];
  const result = chained(
    states.map((state) => saleOf(state, { state, charged: 0n })),
    states.map((state) => boughtFor(state)),
  );
  expect(foundIn(result)).toEqual(['unbilled 0.002 text-1']);
  expect(result.findings).toMatchObject([
    { call_id: 'call-unrecorded', confidence: 'proved', severity: 'S2', warrant: { kind: 'observation' } },
  ]);
  expect(result.alone).toEqual([
    { why: 'unbilled', count: 1, amount: '0.002' },
    { why: 'waiting', count: 1, amount: '0.002' },
    { why: 'not_read', count: 1, amount: '0.002' },
    { why: 'let_off', count: 1, amount: '0.002' },
  ]);
  expect(result.total).toMatchObject({ sales: 0, unbilled: '0.002', bought_alone: '0.008' });
});

test('declared to be sold in these records, only what waits in one of them, or failed, is not unbilled', () => {
  const states: readonly SaleState[] = ['waiting', 'not_read', 'pending', 'let_off'];
  const result = chained(
    states.map((state) => saleOf(state, { state, charged: 0n })),
    states.map((state) => boughtFor(state)),
    { whole: true },
  );
  expect(result.findings.map(({ call_id }) => call_id).sort()).toEqual(['call-not_read', 'call-waiting']);
});

test('what the provider did not charge is not unbilled', () => {
  const unrecorded = saleOf('a', { state: 'unrecorded', charged: 0n });
  const result = chained([unrecorded], [boughtFor('a', { cost: '0' }), boughtFor('b', { cost: '0' })], {
    whole: true,
  });
  expect(result.findings).toEqual([]);
});

test('a purchase of nobody here may be sold to others: only a declaration or a habit makes it unbilled', () => {
  const strange = boughtFor('strange', { cost: '0.7', model: 'text-9' });
  const open = chained([saleOf('a')], [boughtFor('a'), strange]);
  expect(open).toMatchObject({ findings: [], alone: [{ why: 'strange', count: 1, amount: '0.7' }] });
  const declared = chained([saleOf('a')], [boughtFor('a'), strange], { whole: true });
  expect(declared.findings).toMatchObject([
    { class: 'unbilled', amount: '0.7', model: 'text-9', severity: 'S2', warrant: { kind: 'declaration' } },
  ]);
  const ninetyNine = named(99);
  const usual = chained(
    ninetyNine.map((name) => saleOf(name)),
    [...ninetyNine.map((name) => boughtFor(name)), strange],
  );
  expect(usual.findings).toMatchObject([
    { class: 'unbilled', severity: 'S3', confidence: 'bounded', warrant: { kind: 'habit' } },
  ]);
  const customer = chained(
    ninetyNine.map((name) => saleOf(name)),
    [...ninetyNine.map((name) => boughtFor(name)), ...['x', 'y', 'z'].map((name) => boughtFor(name))],
  );
  expect(customer.findings).toEqual([]);
});

test('a record without a purchase is told with its sum, and accuses nobody', () => {
  const result = chained([saleOf('a'), saleOf('cached')], [boughtFor('a')], { whole: true });
  expect(result).toMatchObject({ findings: [], total: { sold_alone: '0.0028', margin: '0.0008' } });
});

test('one purchase charged twice to one request is doubly billed, by the second charge', () => {
  const twice = saleOf('a', { charged: parseAmount('0.0061'), surplus: [parseAmount('0.0033') ?? 0n] });
  const result = chained([twice], [boughtFor('a')]);
  expect(foundIn(result)).toEqual(['doubly_billed 0.0033 text-1']);
  expect(result.total).toMatchObject({ revenue: '0.0061', margin: '0.0041', doubly_billed: '0.0033' });
  // It was bought as often as it was charged.
  const bought = chained([{ ...twice, ids: ['up-a', 'up-b'] }], [boughtFor('a'), boughtFor('b')]);
  expect(bought).toMatchObject({ findings: [], total: { doubly_billed: '0' } });
  const thrice = saleOf('a', { charged: 9n, surplus: [4n, 2n], ids: ['up-a', 'up-b'] });
  expect(foundIn(chained([thrice], [boughtFor('a'), boughtFor('b')]))).toHaveLength(1);
  const failed = boughtFor('b', { cost: '0' });
  expect(foundIn(chained([{ ...twice, ids: ['up-a', 'up-b'] }], [boughtFor('a'), failed]))).toHaveLength(1);
});

test('records of several requests under one purchase may be answers of a cache: their sum is told', () => {
  const [first, second] = [saleOf('a'), saleOf('b', { ids: ['up-a'], charged: parseAmount('0.001') })];
  const result = chained([first, second], [boughtFor('a')]);
  expect(result).toMatchObject({ findings: [], sold_again: { count: 1, amount: '0.001' } });
});

test('an id that a gateway tells with every answer joins nothing', () => {
  const same = named(9).map((name) => saleOf(name, { ids: ['the-same'], tokens: null }));
  const result = chained(same, [boughtFor('x', { ids: ['the-same'] })]);
  expect(result).toMatchObject({ links: [], total: { margin: '0', bought_alone: '0.002' } });
});

test('another model bought than sold is found where the provider sells the one that was sold', () => {
  const sales = [saleOf('a'), saleOf('b', { charged: parseAmount('0.9') })];
  const bought = [boughtFor('a'), boughtFor('b', { model: 'text-0-mini' })];
  const result = chained(sales, bought);
  expect(result.findings).toMatchObject([
    {
      class: 'model_swapped',
      amount: '0.9',
      model: 'text-1',
      bought_model: 'text-0-mini',
      confidence: 'strong',
    },
  ]);
  // A name of the gateway's own, a dated snapshot and a provider before the name are no swap.
  const named_otherwise = chained(
    [saleOf('a', { model: 'fast' }), saleOf('b', { model: 'text-1' }), saleOf('c')],
    [
      boughtFor('a', { model: 'text-1-2026-01-31' }),
      boughtFor('b', { model: 'lab/text-1' }),
      boughtFor('c', { model: 'TEXT-1' }),
    ],
  );
  expect(named_otherwise.findings).toEqual([]);
});

test('a declared name is lawful, and every other one is not', () => {
  const models = [{ sold: 'fast', bought: 'text-1' }];
  const sales = ['a', 'b'].map((name) => saleOf(name, { model: 'fast' }));
  const result = chained(sales, [boughtFor('a'), boughtFor('b', { model: 'text-2' })], { models });
  expect(result.findings).toMatchObject([
    { class: 'model_swapped', call_id: 'call-b', warrant: { kind: 'declaration' } },
  ]);
});

test('one of many that was bought otherwise than all others is out of habit', () => {
  const names = named(99);
  const sales = [...names, 'odd'].map((name) => saleOf(name, { model: 'fast' }));
  const odd = boughtFor('odd', { model: 'text-2' });
  const result = chained(sales, [...names.map((name) => boughtFor(name)), odd]);
  expect(result.findings).toMatchObject([
    { class: 'model_swapped', call_id: 'call-odd', severity: 'S3', warrant: { kind: 'habit' } },
  ]);
  const fewer = chained(sales.slice(1), [...names.slice(1).map((name) => boughtFor(name)), odd]);
  expect(fewer.findings).toEqual([]);
});

test('of several attempts nothing tells which one was delivered', () => {
  const result = chained(
    [saleOf('a', { ids: ['up-a', 'up-b'] }), saleOf('c')],
    [boughtFor('a', { model: 'text-2' }), boughtFor('b'), boughtFor('c')],
  );
  expect(result.findings).toEqual([]);
});

test('without an id in common, tokens, model and time join what has one explanation', () => {
  const sale = saleOf('a', { ids: [] });
  const print = { ids: ['other'] };
  const joined = (changes: object, ...more: Parameters<typeof chained>[0]) =>
    chained([sale, ...more], [boughtFor('a', { ...print, ...changes })]).links;
  expect(joined({})).toEqual([{ by: 'fingerprint', sales: 1, purchases: 1 }]);
  expect(joined({ output: 101 })).toEqual([]);
  expect(joined({ cache_read: 1 })).toEqual([]);
  expect(joined({ model: 'text-2' })).toEqual([]);
  expect(joined({ at: formatInstant(START_MS + 200_000) })).toEqual([]);
  expect(joined({}, saleOf('b', { ids: [] }))).toEqual([]);
  const two = chained([sale], [boughtFor('a', { ids: ['p'] }), boughtFor('b', { ids: ['q'] })]);
  expect(two.links).toEqual([]);
  // Tokens that nobody counted fit nothing.
  expect(
    chained([{ ...sale, tokens: null }], [boughtFor('a', { ...print, input: 0, output: 0 })]).links,
  ).toEqual([]);
});

test('purchases before and after all sales are of another time, and in no sum', () => {
  const sales = [saleOf('a'), saleOf('b', { from_ms: START_MS + DAY_MS, to_ms: START_MS + DAY_MS })];
  const result = chained(
    sales,
    [
      boughtFor('a', { at: formatInstant(START_MS - DAY_MS) }),
      boughtFor('before', { at: formatInstant(START_MS - 121_000) }),
      boughtFor('after', { at: formatInstant(START_MS + DAY_MS + 121_000) }),
      boughtFor('between', { at: formatInstant(START_MS + 5) }),
    ],
    { whole: true },
  );
  expect(result).toMatchObject({
    outside: { count: 2, amount: '0.004' },
    total: { purchases: 2, bought_alone: '0.002' },
    findings: [{ upstream: ['up-between'] }],
  });
});

test('in a period its ends count, and close to them a record may be dated outside', () => {
  const period = { from_ms: START_MS, to_ms: START_MS + DAY_MS };
  const at = [-1, 0, 3_600_000, DAY_MS - 3_600_001, DAY_MS - 1, DAY_MS];
  const calls = at.map((ms, index) => boughtFor(`p${index}`, { at: formatInstant(START_MS + ms) }));
  const result = chained([saleOf('a', { from_ms: START_MS + 9 })], calls, { whole: true }, period);
  expect(result).toMatchObject({
    outside: { count: 2 },
    alone: [
      { why: 'unbilled', count: 2 },
      { why: 'edge', count: 2 },
    ],
    total: { purchases: 4 },
  });
});

test('amounts that are not known are counted, and are no zeros in a sum of their own', () => {
  const result = chained(
    [saleOf('a', { charged: null }), saleOf('b')],
    [boughtFor('a'), boughtFor('b', { cost: null })],
  );
  expect(result.unknown).toEqual({ sales: 1, purchases: 1 });
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
const world = fc.record({
  sales: fc.array(
    fc.record({
      ids: fc.subarray(['up-0', 'up-1', 'up-2', 'up-3', 'up-4']),
      model: fc.constantFrom('text-1', 'text-2'),
      day: fc.constantFrom(0, 1),
      charged: fc.option(amount),
      surplus: fc.array(amount, { maxLength: 2 }),
      state: fc.constantFrom<SaleState>(
        'recorded',
        'recorded',
        'waiting',
        'unrecorded',
        'let_off',
        'not_read',
      ),
    }),
    { maxLength: 6 },
  ),
  bought: fc.array(
    fc.record({
      id: fc.constantFrom(0, 1, 2, 3, 4, 5),
      cost: fc.option(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n })),
      model: fc.constantFrom('text-1', 'text-2', 'text-3'),
    }),
    { maxLength: 8 },
  ),
  whole: fc.boolean(),
});

test('revenue less cost is the margin of the pairs and what stands alone, in all and in each line, in any order', () => {
  fc.assert(
    fc.property(world, ({ sales, bought, whole }) => {
      const sold = sales.map(({ charged, surplus, day, ...rest }, index) => {
        const more = surplus.reduce((sum, each) => sum + each, 0n);
        const from_ms = START_MS + day * DAY_MS;
        const all = rest.state === 'recorded' ? charged && charged + more : 0n;
        return saleOf(`s${index}`, { ...rest, surplus, from_ms, to_ms: from_ms, charged: all });
      });
      const calls = bought.map(({ id, cost, model }) =>
        boughtFor(String(id), { model, cost: cost === null ? null : `${cost}` }),
      );
      const result = chained(sold, calls, { whole });
      for (const sums of [result.total, ...result.lines]) expect(offBy(sums)).toBe(0n);
      for (const name of ['revenue', 'cost', 'margin', 'unbilled', 'doubly_billed', 'retried'] as const)
        expect(result.lines.reduce((sum, line) => sum + pico(line[name]), 0n)).toBe(pico(result.total[name]));
      const told = sold.filter(({ state }) => state === 'recorded').map(({ charged }) => charged ?? 0n);
      expect(pico(result.total.revenue)).toBe(told.reduce((sum, each) => sum + each, 0n));
      const again = chained(sold.toReversed(), calls, { whole });
      expect(again.total).toEqual(result.total);
    }),
  );
});

function offBy({ revenue, cost, margin, sold_alone, bought_alone }: ChainSums): bigint {
  return pico(revenue) - pico(cost) - pico(margin) - pico(sold_alone) + pico(bought_alone);
}

function pico(text: string): bigint {
  return parseAmount(text) ?? 0n;
}

/** What a bill tells of a model on the day of the sales. */
const sumOf = (model: string, cost: string, days = 0) =>
  boughtFor('', {
    ids: [],
    ...{ model, cost, input: null, output: null },
    at: formatInstant(START_MS - (START_MS % DAY_MS) + days * DAY_MS),
    until: formatInstant(START_MS - (START_MS % DAY_MS) + (days + 1) * DAY_MS),
  });

test('the sums of a bill are the cost of all sales of their model and day, and accuse nobody', () => {
  const sales = [
    ...named(3).map((name) => saleOf(name)),
    saleOf('other', { model: 'fast', charged: parseAmount('0.5') }),
    saleOf('next', { from_ms: START_MS + DAY_MS, to_ms: START_MS + DAY_MS }),
    saleOf('alone', { model: 'unknown', charged: parseAmount('0.1') }),
  ];
  const bill = [
    ...[sumOf('lab/text-1', '0.004'), sumOf('lab/text-1', '0.001'), sumOf('text-2', '0.3')],
    ...[sumOf('text-1', '0.002', 1), sumOf('nobody-sold', '7'), sumOf('', '0.25')],
  ];
  const result = chained(sales, bill, { kind: 'bill', models: [{ sold: 'fast', bought: 'text-2' }] });
  expect(result).toMatchObject({
    total: { revenue: '0.6112', cost: '7.557', margin: '0.2042', retried: '0', doubly_billed: '0' },
    links: [{ by: 'sum', sales: 5, purchases: 4 }],
    alone: [
      { why: 'strange', count: 1, amount: '7' },
      { why: 'no_call', count: 1, amount: '0.25' },
    ],
    findings: [],
  });
  expect(result.lines.find(({ model }) => model === 'fast')).toMatchObject({ cost: '0.3', margin: '0.2' });
  expect(result.lines.find(({ day }) => day === '2026-11-21')).toMatchObject({
    cost: '0.002',
    margin: '0.0008',
  });
  expect(result.total).toMatchObject({ sold_alone: '0.1', bought_alone: '7.25' });
  expect(chainSchema.parse(result)).toEqual(result);
});

test('of a hundred sums one that nobody bought shows no habit', () => {
  const days = Array.from({ length: 120 }, (_, day) => day);
  const sales = days.map((day) =>
    saleOf(`d${day}`, { from_ms: START_MS + day * DAY_MS, to_ms: START_MS + day * DAY_MS }),
  );
  const bill = [...days.map((day) => sumOf('text-1', '0.002', day)), sumOf('text-2', '1', 3)];
  expect(chained(sales, bill).findings).toEqual([]);
  expect(foundIn(chained(sales, bill, { whole: true }))).toEqual(['unbilled 1 text-2']);
});
