import { expect, test } from 'vitest';
import type { DeclaredCache } from '../../contracts/billing-terms.ts';
import type { CacheResult } from '../../contracts/cache-result.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { parseAmount } from '../../core/amount.ts';
import { formatInstant } from '../../core/time.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  inputOf,
  judge,
  recordOf,
  START_MS,
  START_S,
  textRow,
} from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { NOTHING_ACCEPTED } from '../records/accepted-sums.ts';
import { CACHING_BOOK, type CachingTarget, type Served, serve } from './caching-target.test-support.ts';

const SEEDS = [1, 2, 3, 4, 5];
const FIVE_MINUTES: DeclaredCache = {
  lifetime_ms: 300_000,
  least_tokens: null,
  block_tokens: null,
  promised: false,
};

function judged(
  { rows, records }: Pick<Served, 'rows' | 'records'>,
  cache: DeclaredCache | null = null,
): Reconciliation {
  return judge({ rows, sweeps: [{ records }], books: [CACHING_BOOK], terms: { cache } });
}

function cacheOf(result: Reconciliation): CacheResult {
  if (result.cache === undefined) throw new Error('no figures of a cache');
  return result.cache;
}

const served = (target: Omit<CachingTarget, 'seed'>) => SEEDS.map((seed) => serve({ seed, ...target }));

test.each([{}, { writes: true }, { block: 128 }])(
  'what withheld hits cost is told to the digit: %j',
  (target) => {
    for (const run of served({ withheld: 0.3, ...target })) {
      const cache = cacheOf(judged(run, FIVE_MINUTES));
      expect(parseAmount(run.withheld)).toBeGreaterThan(0n);
      expect(cache.lost).toEqual({ lo: run.withheld, hi: run.withheld });
      expect(cache.missed).toEqual({ lo: run.withheld_calls, hi: run.withheld_calls });
    }
  },
);

test('without a declaration the truth lies within what the calls taught and what caches usually hold', () => {
  for (const run of served({ withheld: 0.5, most_gap_s: 120 })) {
    const { lost, by_model } = cacheOf(judged(run));
    const [lo, truth, hi] = [lost.lo, run.withheld, lost.hi].map((text) => parseAmount(text) ?? -1n);
    expect(lo).toBeLessThanOrEqual(truth ?? -1n);
    expect(truth).toBeLessThanOrEqual(hi ?? -1n);
    expect(by_model[0]).toMatchObject({ lifetime_s: { basis: 'learnt' }, least_tokens: { basis: 'learnt' } });
  }
});

test('honest caches that expire, evict and count in blocks give no finding', () => {
  for (const target of [{ most_gap_s: 900 }, { room: 2 }, { block: 128, room: 3, most_gap_s: 200 }])
    for (const run of served(target)) expect(brief(judged(run))).toEqual([]);
});

test('an honest cache that only expires has lost nothing for certain', () => {
  for (const run of [...served({ most_gap_s: 400 }), ...served({ most_gap_s: 60, lifetime_s: 100 })]) {
    const { lost, hits } = cacheOf(judged(run));
    expect(lost.lo).toBe('0');
    expect(hits).toBeGreaterThan(0);
  }
});

test('what hits saved and what was written again stand beside it', () => {
  const [run] = served({ withheld: 0.3, writes: true, most_gap_s: 5 });
  if (run === undefined) throw new Error('nothing was served');
  const cache = cacheOf(judged(run, FIVE_MINUTES));
  const missed = cache.missed.lo;
  expect(cache.hits + missed).toBe(115);
  expect(cache.rewritten.calls).toBe(missed);
  expect(cache.rewritten.tokens).toBe(cache.lost_tokens.lo);
  // Half a dollar a million more than new tokens cost.
  const [again, lost] = [cache.rewritten.amount, cache.lost.lo].map((text) => parseAmount(text) ?? 0n);
  expect(again).toBeLessThan(lost ?? 0n);
  expect(cache.invented).toEqual({ calls: 0, tokens: 0, amount: '0' });
});

test('only a declared promise makes misses a finding, one for each model', () => {
  const [run] = served({ withheld: 0.3 });
  if (run === undefined) throw new Error('nothing was served');
  expect(brief(judged(run, FIVE_MINUTES))).toEqual([]);
  const result = judged(run, { ...FIVE_MINUTES, least_tokens: 1024, promised: true });
  expect(brief(result)).toEqual([`cache_read_at_full_price promised_hit ${run.withheld}`]);
  expect(result.findings[0]).toMatchObject({
    warrant: { kind: 'declaration', of: 'billing.cache.promised' },
    confidence: 'bounded',
    severity: 'S2',
    bridge: 'none',
    direction: 'over',
  });
});

test('model by hour, each figure adds up to the whole', () => {
  const [run] = served({ withheld: 0.3, most_gap_s: 240 });
  if (run === undefined) throw new Error('nothing was served');
  const { by_hour, lost, hits } = cacheOf(judged(run, FIVE_MINUTES));
  expect(by_hour.length).toBeGreaterThan(2);
  expect(by_hour[0]?.hour).toBe('2026-11-20T12:00:00Z');
  const sum = by_hour.reduce((total, line) => total + (parseAmount(line.lost.lo) ?? 0n), 0n);
  expect(sum).toBe(parseAmount(lost.lo));
  expect(by_hour.reduce((total, line) => total + line.hits, 0)).toBe(hits);
});

interface Two {
  /** When the second call is sent after the first, ms. */
  readonly after_ms: number;
  readonly read?: number;
  readonly first?: object;
  readonly second?: object;
}

const PREFIX = { bytes: 6000, digest: 'a'.repeat(16) };

/** Two calls that begin alike, and a third pair that hit, so that there is something to learn from. */
function pair({ after_ms, read = 0, first = {}, second = {} }: Two): CacheResult {
  const at = (ms: number) => formatInstant(START_MS + ms);
  const usage = (cache_read: number) => ({
    input: 1300,
    output: 100,
    cache_read,
    cache_write: 0,
    reasoning: null,
    raw: {},
  });
  const common = { key_fp: 'f'.repeat(16), ttft_ms: 1500, end_ms: 2000 };
  const rows = [
    textRow('a', { ...common, usage: usage(0), prefixes: [PREFIX], started_at: at(0), ...first }),
    textRow('b', { ...common, usage: usage(read), prefixes: [PREFIX], started_at: at(after_ms), ...second }),
    textRow('c', { ...common, usage: usage(1200), prefixes: [PREFIX], started_at: at(after_ms + 60_000) }),
  ];
  const records = rows.map(({ call_id, usage: told }) =>
    recordOf(call_id.slice('call-'.length), {
      created_at: START_S + 1,
      amount: told?.cache_read === 0 ? '0.0034' : '0.0016',
      refunded_amount: told?.cache_read === 0 ? '0.0066' : '0.0084',
      input_tokens: 1300,
      cache_read_tokens: told?.cache_read ?? 0,
    }),
  );
  const result = judge({ rows, sweeps: [{ records }], books: [CACHING_BOOK] });
  return cacheOf(result);
}

test('a prompt was sent before only once the earlier answer had begun', () => {
  expect(pair({ after_ms: 1499 }).missed).toEqual({ lo: 0, hi: 0 });
  expect(pair({ after_ms: 1500 }).missed).toEqual({ lo: 1, hi: 1 });
  // A refusal shows nothing.
  const refused = { outcome: 'http_error', error_type: 'http_5xx', status: 500, usage: null };
  expect(pair({ after_ms: 9000, first: refused }).missed).toEqual({ lo: 0, hi: 0 });
});

test('another key and another model have caches of their own', () => {
  expect(pair({ after_ms: 9000, first: { key_fp: 'e'.repeat(16) } }).missed.hi).toBe(0);
});

test('a longer wait than any after which a hit came is owed at most', () => {
  expect(pair({ after_ms: 61_000 }).missed).toEqual({ lo: 0, hi: 1 });
  expect(pair({ after_ms: 301_000 }).missed).toEqual({ lo: 0, hi: 0 });
});

test('a hit that is shorter than others were is owed the rest at most', () => {
  expect(pair({ after_ms: 9000, read: 1000 }).lost_tokens).toEqual({ lo: 0, hi: 200 });
});

/** A conversation of two turns; the second begins with all that the first sent. No hit comes. */
function turns(declared: DeclaredCache | null): CacheResult {
  const first = { bytes: 6000, digest: 'c'.repeat(16) };
  const rows = [1300, 2000].map((input, turn) =>
    textRow(`t${turn}`, {
      started_at: formatInstant(START_MS + turn * 5000),
      usage: { input, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
      prefixes: turn === 0 ? [first] : [first, { bytes: 9000, digest: 'd'.repeat(16) }],
    }),
  );
  const records = ['0.00340004', '0.00480006'].map((amount, turn) =>
    recordOf(`t${turn}`, {
      ...{ created_at: START_S + 1, amount, reserved_amount: amount, refunded_amount: '0' },
      input_tokens: turn === 0 ? 1300 : 2000,
    }),
  );
  return cacheOf(judged({ rows, records }, declared));
}

test('where no hit ever came, the earlier prompt is owed at most, in whole blocks and not below the least', () => {
  expect(turns(null).lost_tokens).toEqual({ lo: 0, hi: 1300 });
  expect(turns({ ...FIVE_MINUTES, block_tokens: 128 }).lost_tokens).toEqual({ lo: 0, hi: 1280 });
  expect(turns({ ...FIVE_MINUTES, least_tokens: 1301 }).lost_tokens).toEqual({ lo: 0, hi: 0 });
});

test('a promise owes the earlier prompt for certain, less what a template may add, where it has the least', () => {
  const promise = { ...FIVE_MINUTES, block_tokens: 128, promised: true };
  expect(turns({ ...promise, least_tokens: 1024 }).lost_tokens).toEqual({ lo: 1280, hi: 1280 });
  expect(turns({ ...promise, least_tokens: 1281 }).lost_tokens).toEqual({ lo: 0, hi: 0 });
  expect(turns({ ...promise, block_tokens: 1, least_tokens: 1290 }).lost_tokens).toEqual({ lo: 0, hi: 1300 });
});

test('of a beginning that never hit a promise owes the input, less a token for each byte behind it', () => {
  const [run] = served({ withheld: 1, calls: 20 });
  if (run === undefined) throw new Error('nothing was served');
  const { lost, missed } = cacheOf(judged(run, { ...FIVE_MINUTES, least_tokens: 512, promised: true }));
  expect(missed.lo).toBe(run.withheld_calls);
  expect(parseAmount(lost.lo)).toBeGreaterThan(0n);
  expect(parseAmount(lost.lo) ?? 0n).toBeLessThan(parseAmount(run.withheld) ?? 0n);
});

test('a promise that is kept is no finding, where the cache expires and counts in blocks', () => {
  const promise = { ...FIVE_MINUTES, block_tokens: 128, least_tokens: 1024, promised: true };
  for (const run of served({ most_gap_s: 400, block: 128 })) expect(brief(judged(run, promise))).toEqual([]);
});

test('hits of many sizes teach the block; that of the least is the least', () => {
  const runs = served({ block: 128 });
  const taught = runs.map((run) => cacheOf(judged(run)).by_model[0]);
  expect(taught.map((terms) => terms?.block_tokens)).toContainEqual({ value: 128, basis: 'learnt' });
  for (const [index, run] of runs.entries()) {
    const reads = run.rows.flatMap(({ usage }) => usage?.cache_read || []);
    expect(taught[index]?.least_tokens).toEqual({ value: Math.min(...reads), basis: 'learnt' });
  }
});

test('writes beyond the prompt stand apart, and are no part of what was lost', () => {
  const usage = { input: 1300, output: 100, cache_read: 0, cache_write: 1500, reasoning: null, raw: {} };
  const { invented, lost } = pair({ after_ms: 9000, first: { usage } });
  // 200 tokens at the price of a write: no prompt holds them.
  expect(invented).toEqual({ calls: 1, tokens: 200, amount: '0.0005' });
  expect(lost.lo).toBe('0.0018');
});

test('where no row tells how prompts begin there are no figures', () => {
  const { rows, records } = serve({ seed: 1, calls: 4 });
  expect(judged({ rows: rows.map((row) => ({ ...row, prefixes: null })), records }).cache).toBeUndefined();
});

test('two hits teach no block', () => {
  expect(pair({ after_ms: 9000, read: 1000 }).by_model[0]?.block_tokens).toEqual({
    value: null,
    basis: 'assumed',
  });
});

test('where neither answer nor record tells cached tokens, nothing is known', () => {
  const usage = { input: 1300, output: 100, cache_read: null, cache_write: null, reasoning: null, raw: {} };
  const { rows, records } = serve({ seed: 1, calls: 4 });
  const untold = judged({
    rows: rows.map((row) => ({ ...row, usage })),
    records: records.map((record) => ({ ...record, cache_read_tokens: -1 })),
  });
  expect(untold.cache).toBeUndefined();
});

test('a call whose charge the target gave back has lost nothing', () => {
  const [run] = served({ withheld: 0.3 });
  if (run === undefined) throw new Error('nothing was served');
  const records = run.records.map((record) => ({
    ...record,
    billing_status: 'refunded',
    refunded_amount: record.reserved_amount,
  }));
  expect(judged({ rows: run.rows, records }, FIVE_MINUTES).cache).toBeUndefined();
});

test('a dearer cache than plain input loses nothing', () => {
  const [run] = served({ withheld: 0.3 });
  if (run === undefined) throw new Error('nothing was served');
  const dear = archivedBook(
    bookDocument({
      models: [
        { id: 'text-1', kind: 'text', unit: 'per_1m_tokens', input: '2', output: '8', cache_read: '3' },
      ],
    }),
  );
  const { cache } = judge({
    rows: run.rows,
    sweeps: [{ records: run.records }],
    books: [dear],
    terms: { cache: FIVE_MINUTES },
  });
  expect(cache?.missed.lo).toBeGreaterThan(0);
  expect(cache?.lost).toEqual({ lo: '0', hi: '0' });
});

test('calls that were judged together may have begun as any of these: nothing is told', () => {
  const [run] = served({ withheld: 0.3 });
  if (run === undefined) throw new Error('nothing was served');
  const input = inputOf({ rows: run.rows, sweeps: [{ records: run.records }], books: [CACHING_BOOK] });
  expect(reconcile(input).cache).toBeDefined();
  const groups = [{ witness: 'elsewhere', calls: 10, charged: 0n, refunded: 0n }];
  expect(reconcile({ ...input, accepted: { ...NOTHING_ACCEPTED, groups } }).cache).toBeUndefined();
});
