import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { GatewayClient } from '../../client/gateway-client.ts';
import { collectAccount } from '../../collect/collect-account.ts';
import { collectSweep } from '../../collect/collect-sweep.ts';
import { PageSize } from '../../collect/page-size.ts';
import { readerState } from '../../collect/reader-state.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { JournalLine } from '../../contracts/journal.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { startTestGateway, type TestGateway } from '../../gateway/parts/gateway.test-support.ts';
import { OWN_READINGS, type Readings } from '../../gateway/readings/readings.ts';
import { loadReconcileInput } from '../../reconcile/input/load-reconcile-input.ts';
import { reconcile } from '../../reconcile/reconcile.ts';

/** Usage as the embedded gateway serves it, read and judged: each fault of the reads, and none without one. */
const MODELS = ['aspen', 'aspen-mini', 'aspen-nano', 'aspen', 'aspen-mini', 'aspen', 'aspen'];
const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });
const page = z.object({ data: z.array(z.object({ created_at: z.number() })) });

let gateway: TestGateway;
let client: GatewayClient;
let dir = '';

async function opened(readings: Partial<Readings> = {}): Promise<TestGateway> {
  return startTestGateway({ readings: { ...OWN_READINGS, page_default: 3, page_max: 3, ...readings } });
}

async function called(target: TestGateway, models: readonly string[] = MODELS): Promise<void> {
  for (const model of models)
    await target.call('POST', '/v1/responses', { model, input: 'x', max_output_tokens: 2 });
}

function clientOf({ running: { ready } }: TestGateway): GatewayClient {
  return new GatewayClient({
    bases: { root: ready.base_url, v1: `${ready.base_url}/v1`, api: `${ready.base_url}/api` },
    apiKey: ready.api_key,
    accessToken: ready.access_token,
    userId: String(ready.user_id),
    timeoutMs: 5000,
    userAgent: 'weighbridge-test',
  });
}

beforeAll(async () => {
  gateway = await opened();
  await called(gateway);
  client = clientOf(gateway);
});
afterAll(async () => {
  await client.close();
  await gateway.running.close();
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-read-'));
  mkdirSync(join(dir, 'calls'));
  return () => rmSync(dir, { recursive: true, force: true });
});

async function plan(
  fault: string,
  parameters: Readonly<Record<string, unknown>>,
  when: object,
): Promise<void> {
  const put = await gateway.control('PUT', '/faults', { faults: [{ fault, when, parameters }] });
  expect([put.status, put.text]).toEqual([200, expect.any(String)]);
}

async function firedIds(): Promise<readonly string[]> {
  const { lines: all } = lines.parse((await gateway.control('GET', '/journal')).json);
  return all.flatMap((line) => (line.type === 'fault' ? [`read:${line.request_id}`] : []));
}

async function windowOf(target: TestGateway): Promise<{ start: number; end: number }> {
  const { data } = page.parse((await target.call('GET', '/v1/usage/requests?limit=1')).json);
  const now = data[0]?.created_at ?? 0;
  return { start: now - 600, end: now + 2 };
}

async function judged(target = gateway, reader = client): Promise<Reconciliation> {
  const window = await windowOf(target);
  const state = readerState({ size: new PageSize(3) });
  await collectSweep({ client: reader, dir, window, sweep: 1, state });
  await collectSweep({ client: reader, dir, window, sweep: 2, state, prove: true });
  return reconcile(await loadReconcileInput(dir));
}

/** What is found of the reads; the records themselves belong to no ledger here. */
function ofReads({ findings }: Reconciliation): readonly Finding[] {
  return findings.filter(({ evidence }) => evidence.some((one) => one.startsWith('read:')));
}

test.each([
  ['bill.cursor_skip', {}, 'page_gap_or_overlap'],
  ['bill.cursor_repeat', {}, 'page_gap_or_overlap'],
  ['bill.cursor_loop', {}, 'page_gap_or_overlap'],
  ['bill.cursor_unstable', {}, 'page_gap_or_overlap'],
  ['bill.cursor_has_more_lie', { variant: 'ends_early' }, 'page_gap_or_overlap'],
  ['bill.cursor_has_more_lie', { variant: 'promises_more' }, 'page_gap_or_overlap'],
  ['bill.cursor_filter_lost', {}, 'filter_mismatch'],
  ['bill.filter_mismatch', { variant: 'model_prefix' }, 'filter_mismatch'],
  ['bill.filter_mismatch', { variant: 'request_id_ignored' }, 'filter_mismatch'],
  ['bill.window_edge', { variant: 'end_inclusive' }, 'window_semantics'],
  ['bill.window_edge', { variant: 'start_exclusive' }, 'window_semantics'],
  ['bill.totals_drift', { variant: 'settled' }, 'totals_disagree_records'],
  ['bill.totals_drift', { variant: 'records' }, 'totals_disagree_records'],
  ['bill.totals_drift', { variant: 'by_model' }, 'by_model_or_daily_partition'],
  ['bill.totals_drift', { variant: 'daily' }, 'by_model_or_daily_partition'],
  ['bill.totals_drift', { variant: 'local_day', offset_hours: 14 }, 'day_boundary_shift'],
  ['bill.totals_drift', { variant: 'local_day', offset_hours: -14 }, 'day_boundary_shift'],
  ['bill.totals_drift', { variant: 'unknown_records' }, 'unknown_records'],
])('%s %j is %s, with the id of a read that it hit', async (fault, parameters, name) => {
  await plan(fault, parameters, { every: 1 });
  const before = (await firedIds()).length;
  const found = ofReads(await judged());
  const fired = new Set((await firedIds()).slice(before));
  if (fired.size === 0) {
    // Only one of the two offsets moves a moment of today to another day.
    expect(parameters).toHaveProperty('offset_hours');
    expect(found).toEqual([]);
    return;
  }
  expect(found.map((finding) => finding.class)).toContain(name);
  // One id is one record, and a page may be empty.
  const isLawful = fault === 'bill.cursor_repeat' || Object.values(parameters).includes('promises_more');
  if (isLawful) expect(found.map(({ severity }) => severity)).toEqual(['S4']);
  for (const finding of found.filter((one) => one.class === name))
    expect(finding.evidence.some((one) => fired.has(one))).toBe(true);
  expect(new Set(found.map((finding) => finding.class))).toEqual(new Set([name]));
});

test('bill.quota_drift at one of the reads is account_counter_drift, weak and without USD', async () => {
  await gateway.control('PUT', '/faults', { faults: [] });
  await plan('bill.quota_drift', { factor: '2' }, { nth: 2 });
  const before = (await firedIds()).length;
  for (let read = 0; read < 3; read += 1) await collectAccount({ client, dir, sweep: 0 });
  await gateway.control('PUT', '/faults', { faults: [] });
  const fired = new Set((await firedIds()).slice(before));
  const [found, ...others] = ofReads(await judged());
  expect(others).toEqual([]);
  expect(found).toMatchObject({ class: 'account_counter_drift', confidence: 'weak', delta_exact: null });
  expect(found?.evidence.some((one) => fired.has(one))).toBe(true);
});

test('an honest gateway is proved and silent, in few reads', async () => {
  await gateway.control('PUT', '/faults', { faults: [] });
  const result = await judged();
  expect(ofReads(result)).toEqual([]);
  expect(result.completeness).toMatchObject({
    complete: true,
    proved: true,
    leaves: [{ figure: 'records', totals: '7', records: '7', stable: true }],
  });
  // Pages of 3 and totals, twice; then three reads at edges and four of filters.
  const { reads } = await loadReconcileInput(dir);
  expect(reads.filter(({ purpose }) => purpose === 'sweep')).toHaveLength(8);
  expect(
    reads.filter(({ purpose }) => purpose === 'edge' || purpose === 'filter').length,
  ).toBeLessThanOrEqual(7);
});

test.each<[Partial<Readings>]>([
  [{ cursor: 'offset' }],
  [{ cursor: 'record_id' }],
  [{ order: 'oldest_first' }],
  [{ cursor: 'offset', order: 'oldest_first' }],
  [{ page_max: 1, page_default: 1 }],
  [{ page_max: 200, page_default: 50 }],
])('readings %j, with calls that come between pages, are silent', async (readings) => {
  const other = await opened(readings);
  const own = clientOf(other);
  try {
    await called(other);
    const window = await windowOf(other);
    const later = { ...window, end: window.end + 60 };
    const state = readerState({ size: new PageSize(Math.min(3, readings.page_max ?? 3)) });
    const coming = called(other, ['aspen', 'aspen-mini', 'aspen']);
    await collectSweep({ client: own, dir, window: later, sweep: 1, state });
    await coming;
    await collectSweep({ client: own, dir, window: later, sweep: 2, state, prove: true });
    const result = reconcile(await loadReconcileInput(dir));
    expect(ofReads(result)).toEqual([]);
    expect(result.completeness).toMatchObject({ records: 10, proved: true });
  } finally {
    await own.close();
    await other.running.close();
  }
});
