import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendJson, testClient } from '../client/loopback-server.test-support.ts';
import type { ReadLine } from '../contracts/usage-lines.ts';
import { collectSweep, type SweepOutcome } from './collect-sweep.ts';
import { PageSize } from './page-size.ts';
import { ReadBudget } from './read-budget.ts';
import { type ReaderState, readerState } from './reader-state.ts';
import {
  type StoredRecord,
  storedRecords,
  type UsageBehaviour,
  usageGateway,
} from './usage-gateway.test-support.ts';

const WINDOW = { start: 1_790_000_000, end: 1_790_003_600 };
const closing: { close(): Promise<void> }[] = [];
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-prove-'));
});
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
  rmSync(dir, { recursive: true, force: true });
});

/** One record each ten seconds, newest first. */
function spread(count: number): readonly StoredRecord[] {
  return storedRecords(count).map((record, index) => ({
    ...record,
    created_at: WINDOW.start + (count - index) * 10,
    billing_status: 'settled',
  }));
}

function stateOf(limit: number): ReaderState {
  return readerState({ size: new PageSize(limit), budget: new ReadBudget({ perSecond: 1_000_000 }) });
}

async function prove(
  behaviour: UsageBehaviour,
  { window = WINDOW, state = stateOf(4) }: { window?: typeof WINDOW; state?: ReaderState } = {},
): Promise<SweepOutcome> {
  const server = await usageGateway({ maxLimit: 1000, ...behaviour });
  // One attempt: what is under test is what the reader does by itself.
  const retry = { attempts: 1, firstWaitMs: 1, factor: 1, maxWaitMs: 1 };
  const client = testClient(server.root, { retry });
  closing.push(client, server);
  return collectSweep({ client, dir, window, sweep: 1, prove: true, state });
}

function reads(): readonly ReadLine[] {
  const text = readFileSync(join(dir, 'usage/pages.ndjson'), 'utf8');
  return text.split('\n').flatMap((line): readonly ReadLine[] => (line === '' ? [] : [JSON.parse(line)]));
}

function end(): ReadLine {
  const last = reads().find(({ read }) => read === 'sweep_end');
  if (last === undefined) throw new Error('no sweep_end');
  return last;
}

function recordLines(): readonly { readonly pass: number; readonly record: StoredRecord }[] {
  return readFileSync(join(dir, 'usage/records.ndjson'), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

const hazards = (): readonly string[] =>
  (end().hazards ?? []).flatMap(({ hazard, met }) => (met ? [hazard] : []));

describe('a proof', () => {
  it('rests on two walks that agree, and keeps the records of one', async () => {
    const outcome = await prove({ records: () => spread(9) });
    expect(outcome).toMatchObject({ complete: true, proved: true, records: 9, pages: 6 });
    expect(recordLines()).toHaveLength(9);
    expect(end()).toMatchObject({
      judged_passes: [1],
      leaves: [{ ...WINDOW, figure: 'records', totals: '9', records: '9', stable: true, model: null }],
    });
    expect(hazards()).toEqual([]);
    expect(end().hazards).toHaveLength(10);
  });

  it('takes the walk of an earlier sweep as one of the two', async () => {
    const state = stateOf(4);
    const server = await usageGateway({ records: () => spread(9), maxLimit: 1000 });
    const client = testClient(server.root);
    closing.push(client, server);
    await collectSweep({ client, dir, window: WINDOW, sweep: 1, state });
    const second = await collectSweep({ client, dir, window: WINDOW, sweep: 2, state, prove: true });
    expect(second).toMatchObject({ proved: true, pages: 3 });
  });

  it('walks a third time where the second differs, and gives up after it', async () => {
    let count = 5;
    const arriving: UsageBehaviour = {
      records: () => spread(count),
      page: (page, _, honest) => {
        const served = honest();
        if (page <= 3) count += 1;
        return served;
      },
    };
    const outcome = await prove(arriving);
    expect(outcome).toMatchObject({ proved: false });
    expect(hazards()).toContain('insert_behind_cursor');
    expect(new Set(recordLines().map(({ pass }) => pass))).toEqual(new Set([1, 2, 3]));
    expect(end().judged_passes).toEqual([3]);
    expect(end().leaves).toMatchObject([{ stable: false }]);
  });

  it('does not rest on two walks that only count the same', async () => {
    let walks = 0;
    await prove({
      records: () => spread(3).map((record) => ({ ...record, result: `after ${walks} walks` })),
      page: (_page, _response, honest) => {
        const served = honest();
        walks += 1;
        return served;
      },
    });
    expect(end().leaves).toMatchObject([{ totals: '3', records: '3', stable: false }]);
    expect(hazards()).toEqual(['moving_records']);
  });

  it('finds the second that pages leave out, and proves what lies around it', async () => {
    const outcome = await prove({
      records: () => spread(20),
      page: (_page, _response, honest) => {
        const served = honest() as { data: StoredRecord[] };
        const wide = served.data.length > 1;
        return wide ? { ...served, data: served.data.filter(({ id }) => id !== 'u7') } : null;
      },
    });
    expect(outcome).toMatchObject({ complete: true, proved: false, records: 19, totalsRecords: 20 });
    const at = WINDOW.start + 70;
    const leaves = end().leaves ?? [];
    expect(leaves.filter(({ totals, records }) => totals !== records)).toEqual([
      expect.objectContaining({
        start: at,
        end: at + 1,
        totals: '1',
        records: '0',
        served: '1',
        stable: true,
      }),
    ]);
    const proved = leaves.filter((leaf) => leaf.totals === leaf.records);
    expect(proved.every((leaf) => leaf.stable && !(leaf.start <= at && at < leaf.end))).toBe(true);
    expect(proved.reduce((sum, leaf) => sum + leaf.end - leaf.start, 0)).toBeGreaterThan(3500);
    expect(reads().filter(({ purpose }) => purpose === 'bisect').length).toBeLessThan(40);
  });

  it('narrows a wrong sum to a second and a model', async () => {
    const records = spread(20).map((record, index) => ({ ...record, model: index % 2 === 0 ? 'a' : 'b' }));
    const at = WINDOW.start + 130;
    await prove({
      records: () => records,
      before(url, response) {
        if (url.pathname !== '/v1/usage') return false;
        const [from, to] = ['start_time', 'end_time'].map((name) => Number(url.searchParams.get(name)));
        const model = url.searchParams.get('model');
        const inside = records.filter(
          (one) =>
            one.created_at >= (from ?? 0) &&
            one.created_at < (to ?? 0) &&
            (model === null || one.model === model),
        );
        const wrong = inside.some(({ created_at: second }) => second === at) ? 5 : 0;
        const settled_amount = ((inside.length * 10 + wrong) / 100).toFixed(2);
        sendJson(response, 200, { records: inside.length, settled_amount, currency: 'USD' });
        return true;
      },
    });
    expect((end().leaves ?? []).filter(({ figure }) => figure === 'settled')).toEqual([
      expect.objectContaining({
        start: at,
        end: at + 1,
        totals: '0.15',
        records: '0.1',
        served: '0.1',
        stable: true,
      }),
    ]);
  });

  it('does not call what still moves stable', async () => {
    let reading = 0;
    await prove({
      records: () => spread(20),
      totalsRecords(honest) {
        reading += 1;
        return honest === 0 ? 0 : honest + (reading > 3 ? reading : 1);
      },
    });
    const bad = (end().leaves ?? []).filter(({ totals, records }) => totals !== records);
    expect(bad.length).toBeGreaterThan(0);
    expect(bad.every(({ stable }) => !stable)).toBe(true);
  });

  it('does not take a page that repeats one record and skips another for two equal records', async () => {
    const outcome = await prove({
      records: () => spread(8),
      page: (_page, _response, honest) => {
        const served = honest() as { data: StoredRecord[] };
        const later = served.data[0]?.id === 'u4';
        return later ? { ...served, data: [spread(8)[3], ...served.data.slice(0, 3)] } : null;
      },
    });
    expect(outcome).toMatchObject({ proved: false, records: 7, totalsRecords: 8 });
    expect(recordLines()).toHaveLength(7);
  });

  it('keeps pages in another currency apart by name', async () => {
    await prove({ records: () => spread(2), currency: 'EUR' });
    expect(
      reads()
        .filter(({ read }) => read === 'records')
        .map(({ currency }) => currency),
    ).toContain('EUR');
    expect(readFileSync(join(dir, 'usage/records.ndjson'), 'utf8')).toContain('"currency":"EUR"');
  });

  it('reads across the seam of two windows', async () => {
    const window = { start: WINDOW.start, end: WINDOW.start + 40 * 86_400 };
    const seam = 1_790_000_000 + 31 * 86_400 - ((1_790_000_000 + 31 * 86_400) % 86_400);
    const records = [-2, -1, 0, 1].map((offset) => ({
      ...spread(1)[0],
      id: `s${offset}`,
      created_at: seam + offset,
    }));
    const honest: UsageBehaviour = { records: () => records as StoredRecord[] };
    expect(await prove(honest, { window })).toMatchObject({ proved: true, records: 4 });
    const seams = reads().filter(({ purpose }) => purpose === 'seam');
    expect(seams).toMatchObject([{ window: { start: seam - 1, end: seam + 1 }, count: 2, oddities: [] }]);
    expect(hazards()).toEqual(['long_window']);
  });

  it('tells a record that the window after a seam leaves out', async () => {
    const window = { start: WINDOW.start, end: WINDOW.start + 40 * 86_400 };
    const seam = 1_790_000_000 + 31 * 86_400 - ((1_790_000_000 + 31 * 86_400) % 86_400);
    const records = [-1, 0].map((offset) => ({
      ...spread(1)[0],
      id: `s${offset}`,
      created_at: seam + offset,
    }));
    const from = (url: URL): boolean => url.searchParams.get('start_time') === String(seam);
    await prove(
      {
        records: () => records as StoredRecord[],
        before(url, response) {
          if (!from(url)) return false;
          const page = { data: [], has_more: false, next_cursor: '', currency: 'USD' };
          sendJson(response, 200, url.pathname === '/v1/usage' ? { records: 0, currency: 'USD' } : page);
          return true;
        },
      },
      { window },
    );
    const odd = reads().flatMap(({ oddities }) => oddities.map(({ kind }) => kind));
    expect(odd).toContain('seam_differs');
  });
});

describe('a reader', () => {
  it('rests as long as the target asks, then reads on', async () => {
    let refusals = 0;
    const waits: number[] = [];
    let now = 0;
    const wait = (ms: number): Promise<void> => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    };
    const state = readerState({ size: new PageSize(4), budget: new ReadBudget({ now: () => now, wait }) });
    const outcome = await prove(
      {
        records: () => spread(3),
        before(_url, response) {
          refusals += 1;
          if (refusals !== 2) return false;
          sendJson(
            response,
            429,
            { error: { message: 'slow', type: 't', code: '' } },
            { 'retry-after': '7' },
          );
          return true;
        },
      },
      { state },
    );
    expect(outcome).toMatchObject({ complete: true, proved: true });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(7000);
    expect(hazards()).toEqual(['rate_limit']);
  });

  it('spreads its reads', async () => {
    let now = 0;
    const budget = new ReadBudget({
      perSecond: 10,
      now: () => now,
      wait: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    });
    const failure = { ok: false, status: null, code: null, message: '', retryAfterS: null } as const;
    for (let read = 0; read < 121; read += 1)
      await budget.ask(() => Promise.resolve({ ...failure, errorType: '_OTHER', requestId: null }));
    // A burst of 20, and a tenth of a second for each of the others.
    expect(now).toBeGreaterThanOrEqual(9_900);
    expect(now).toBeLessThanOrEqual(10_100);
    expect(budget.reads).toBe(121);
  });
});
