import { expect, test } from 'vitest';
import type { ApiKey } from '../../account/account.ts';
import { AccountRegistry } from '../../account/account-registry.ts';
import { textCharge } from '../../charging/charge-amount.ts';
import type { TokenUsage } from '../../events/charge-record.ts';
import { CATALOGUE } from '../../models/catalogue.ts';
import type { TextModel, VideoModel } from '../../models/model.ts';
import { chargeRule } from '../../readings/charge-rule.ts';
import { OWN_READINGS } from '../../readings/readings.ts';
import { quotaUnitsOf } from './log-rows.ts';
import { NewApi } from './new-api.ts';
import { modelRatio, ratioCatalogue, toldRatio } from './ratios.ts';

/** Prices and charges of a real gateway of this family, as they were measured. */
const dialect = new NewApi({ name: 'new-api', switches: new Set() });
const readings = dialect.readings(OWN_READINGS);
const clock = { wallMs: () => 0 };

const MINI = priced(['0.15', '0.6', '0.075', null]);
const PRO = priced(['2.5', '20', '0.25', '3.125']);
const MSG = priced(['3', '15', '0.3', '3.75']);

function priced([input, output, cache_read, cache_write]: [
  string,
  string,
  string | null,
  string | null,
]): TextModel {
  const limits = { context_window: 200_000, max_output_tokens: 9000 };
  return { kind: 'text', id: 'm', tokenizer: 'bytes', input, output, cache_read, cache_write, ...limits };
}

function used(input: number, output: number, cacheRead = 0, cacheWrite = 0): TokenUsage {
  return { input, output, cacheRead, cacheWrite };
}

function units(model: TextModel, usage: TokenUsage, group = 'default', longWrites = false): number {
  const rule = chargeRule({ readings, clock, dialect }, { ordinal: 1, group }, model);
  const extras = { serviceTier: null, reasoning: 0, toolCalls: 0 };
  return quotaUnitsOf(textCharge(model, usage, rule, longWrites ? { ...extras, longWrites } : extras));
}

test.each([
  [MINI, used(1000, 50, 200), 83],
  [MINI, used(20, 0), 2],
  [MINI, used(1, 0), 1],
  [MINI, used(3, 0), 1],
  [MINI, used(1, 1), 1],
  [MINI, used(46, 0, 20), 3],
  [MINI, used(100_000, 3333, 77_777), 5583],
  [PRO, used(1000, 7, 333), 945],
  [PRO, used(1000, 7, 333, 100), 977],
  [PRO, used(2, 0), 3],
  [PRO, used(6, 0), 8],
  [PRO, used(1001, 7, 333), 947],
  [MSG, used(999, 1), 1506],
  [MSG, used(1000, 10, 200, 100), 1343],
])('units are rounded half up, one at least: %j %j → %i', (model, usage, charged) => {
  expect(units(model, usage)).toBe(charged);
});

test('a call without tokens costs nothing, and a group multiplies before the rounding', () => {
  expect(units(MINI, used(0, 0))).toBe(0);
  // 82.5 × 0.8 and × 0.5.
  expect(units(MINI, used(1000, 50, 200), 'plus')).toBe(66);
  expect(units(MINI, used(1000, 50, 200), 'bulk')).toBe(41);
});

test('a cache write of an hour costs 1.6 times one of 5 minutes', () => {
  // (700 + 100 × 1.25 + 10 × 5) × 1.5 against (… 100 × 1.25 × 1.6 …): 1312.5 and 1425 units, and 200 read at a tenth.
  expect(units(MSG, used(1000, 10, 200, 100))).toBe(1343);
  expect(units(MSG, used(1000, 10, 200, 100), 'default', true)).toBe(1455);
});

test('what a charge takes from credit is whole units', () => {
  const rule = chargeRule({ readings, clock, dialect }, { ordinal: 1 }, MINI);
  expect(textCharge(MINI, used(1000, 50, 200), rule)).toBe(83n * 2_000_000n);
});

test('each ratio that the price list tells gives the price exactly', () => {
  for (const model of ratioCatalogue(CATALOGUE)) {
    if (model.kind !== 'text') continue;
    const per = (ratio: number): number => Number((modelRatio(model) * 2 * ratio).toPrecision(12));
    expect([model.id, per(1)]).toEqual([model.id, Number(model.input)]);
    expect([model.id, per(toldRatio(model.output, model.input))]).toEqual([model.id, Number(model.output)]);
    const told = toldRatio(model.output, model.input);
    expect(told).toBe(Number(told.toFixed(6)));
    expect(model).not.toHaveProperty('context_tiers');
  }
});

const VIDEO: VideoModel = {
  kind: 'video',
  id: 'v',
  max_seconds: 12,
  tiers: [
    { resolution: '1280x720', price: '0.1' },
    { resolution: '1792x1024', price: '0.1666667' },
  ],
};

function videoOf(size: string, seconds: number, requestId: string, group = 'default'): number | null {
  const key = keyOf(group);
  const amount = dialect.videoCharge({ key, model: VIDEO, size, seconds, requestId });
  return amount === null ? null : quotaUnitsOf(amount);
}

function keyOf(group: string): ApiKey {
  const registry = new AccountRegistry();
  const { account } = registry.addAccount({ balance: 0n });
  return registry.addKey({ account, group }).key;
}

test('a video costs its seconds times its size; the order of the factors moves it by a unit', () => {
  expect(videoOf('1280x720', 8, 'a')).toBe(400_000);
  expect(videoOf('1280x720', 4, 'a', 'bulk')).toBe(100_000);
  expect(videoOf('640x480', 4, 'a')).toBeNull();
  const ids = Array.from({ length: 200 }, (_, index) => `request-${index}`);
  const charged = ids.map((id) => videoOf('1792x1024', 4, id));
  expect([...new Set(charged)].sort()).toEqual([333_332, 333_333]);
  // 416666.75 where the seconds come first: what is no whole unit is cut.
  expect([...new Set(ids.map((id) => videoOf('1792x1024', 5, id)))].sort()).toEqual([416_665, 416_666]);
});
