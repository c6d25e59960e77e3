import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { GatewayClient } from '../../client/gateway-client.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import { formatInstant } from '../../core/time.ts';
import { keyFingerprint } from '../../gateway/account/account-registry.ts';
import { chatBody, startTestGateway, type TestGateway } from '../../gateway/parts/gateway.test-support.ts';
import { NO_LEDGER } from '../../ledger/load-ledger.ts';
import { loadReconcileInput } from '../../reconcile/input/load-reconcile-input.ts';
import { reconcile } from '../../reconcile/reconcile.ts';
import { textRow } from '../../reconcile/rows.test-support.ts';
import { settle } from './settle.ts';

const MODEL = 'aspen-mini';
/** More than are asked for one by one. */
const CALLS = 25;
const BEHIND_MS = 30_000;

afterEach(() => vi.restoreAllMocks());

function clientOf({ running }: TestGateway, api_key = running.ready.api_key): GatewayClient {
  const { base_url: root } = running.ready;
  return new GatewayClient({
    bases: { root, v1: `${root}/v1`, api: `${root}/api` },
    apiKey: api_key,
    timeoutMs: 5000,
    retry: { attempts: 1, firstWaitMs: 1, factor: 1, maxWaitMs: 1 },
    userAgent: 'test',
    signal: new AbortController().signal,
  });
}

test('a target whose clock is behind ours has kept no call from us: its records are read from when it dates them', async () => {
  const { settled } = await settledOf({ behind: CALLS });
  expect(settled.calls.map(({ match }) => match)).toEqual(Array.from({ length: CALLS }, () => 'request_id'));
  expect(settled.completeness.complete).toBe(true);
});

test('a record that alone is dated too early is found by its id, and no sweep reads what came before the run', async () => {
  const { settled, startS } = await settledOf({ behind: 1 });
  expect(settled.calls.map(({ match }) => match)).toEqual(Array.from({ length: CALLS }, () => 'request_id'));
  expect(settled.completeness.leaves.map(({ start }) => start)).toEqual([startS]);
});

test('each key reads its own records, and a record that is missed is asked for with the key of its call', async () => {
  const { settled, asked } = await settledOf({ behind: CALLS, keys: 2 });
  expect(settled.calls.map(({ match }) => match)).toEqual(Array.from({ length: CALLS }, () => 'request_id'));
  expect(settled.completeness).toMatchObject({ complete: true, records: CALLS });
  expect(asked.length).toBeGreaterThan(0);
  for (const { request_id, key_fp } of asked) {
    const call = settled.calls.find((each) => each.request_id === request_id);
    expect([request_id, key_fp]).toEqual([request_id, call?.row?.key_fp]);
  }
});

/** The first calls have records that are dated half a minute before they began. */
async function settledOf({ behind, keys: count = 1 }: { readonly behind: number; readonly keys?: 1 | 2 }) {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.running.close());
  const { api_key, user_id } = gateway.running.ready;
  const made = z.object({ api_key: z.string() });
  const keys = [
    api_key,
    ...(count === 1 ? [] : [made.parse((await gateway.control('POST', '/keys', { user_id })).json).api_key]),
  ];
  const dir = mkdtempSync(join(tmpdir(), 'settle-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const call = (_: unknown, n: number) =>
    gateway.call('POST', '/v1/chat/completions', chatBody({ model: MODEL }), {
      authorization: `Bearer ${keys[n % keys.length]}`,
    });
  await Promise.all(Array.from({ length: behind }, call));
  const early = new Set((await records()).map(({ request_id }) => request_id));
  await gateway.control('POST', '/clock', { advance_s: BEHIND_MS / 1000 });
  await Promise.all(Array.from({ length: CALLS - behind }, call));
  const began = (await records()).map(({ request_id, created_at, key_fp }) => ({
    request_id,
    key_fp,
    ms: created_at * 1000 + (early.has(request_id) ? BEHIND_MS : 0),
  }));
  expect(began).toHaveLength(CALLS);
  const rows = began.map(({ request_id, key_fp, ms }) =>
    textRow(request_id, {
      key_fp,
      model: MODEL,
      request_id,
      request_ids: [request_id],
      started_at: formatInstant(ms),
    }),
  );
  const startS = Math.min(...began.map(({ ms }) => ms)) / 1000 - 2;
  const theirs = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => theirs() + BEHIND_MS);
  const readerOf = (key: string) => {
    const client = clientOf(gateway, key);
    onTestFinished(() => client.close());
    return keys.length === 1 ? { client } : { client, keyFp: keyFingerprint(key) };
  };
  const [first = api_key, ...rest] = keys;
  const settled = await settle({
    readers: [readerOf(first), ...rest.map(readerOf)],
    runDir: dir,
    startS,
    waitMs: 2_000,
    pollMs: 1,
    judge: async () =>
      reconcile(
        await loadReconcileInput(dir, {
          ledger: { ...NO_LEDGER, rows },
          key: 'exclusive',
          terms: NO_TERMS,
          adapter: 'auto',
        }),
      ),
    onRound: () => {},
    interrupted: () => false,
  });
  const asked = readFileSync(join(dir, 'usage/pages.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => read.parse(JSON.parse(line)))
    .filter((line) => line.read === 'request');
  return { settled, startS, asked };

  async function records() {
    const pages = keys.map(async (key) => {
      const answer = await gateway.call('GET', '/v1/usage/requests?limit=100', undefined, {
        authorization: `Bearer ${key}`,
      });
      return page.parse(answer.json).data.map((record) => ({ ...record, key_fp: keyFingerprint(key) }));
    });
    return (await Promise.all(pages)).flat();
  }
}

const page = z.object({ data: z.array(z.object({ request_id: z.string(), created_at: z.number() })) });
const read = z.object({
  read: z.string(),
  request_id: z.string().nullable(),
  key_fp: z.string().nullable(),
});
