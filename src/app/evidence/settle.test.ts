import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { GatewayClient } from '../../client/gateway-client.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import { formatInstant } from '../../core/time.ts';
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

function clientOf({ running }: TestGateway): GatewayClient {
  const { base_url: root, api_key } = running.ready;
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

/** The first calls have records that are dated half a minute before they began. */
async function settledOf({ behind }: { readonly behind: number }) {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.running.close());
  const dir = mkdtempSync(join(tmpdir(), 'settle-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const call = () => gateway.call('POST', '/v1/chat/completions', chatBody({ model: MODEL }));
  await Promise.all(Array.from({ length: behind }, call));
  const early = new Set((await gateway.records()).map(({ request_id }) => request_id));
  await gateway.control('POST', '/clock', { advance_s: BEHIND_MS / 1000 });
  await Promise.all(Array.from({ length: CALLS - behind }, call));
  const began = (await gateway.records()).map(({ request_id, created_at }) => ({
    request_id,
    ms: created_at * 1000 + (early.has(request_id) ? BEHIND_MS : 0),
  }));
  expect(began).toHaveLength(CALLS);
  const rows = began.map(({ request_id, ms }) =>
    textRow(request_id, {
      model: MODEL,
      request_id,
      request_ids: [request_id],
      started_at: formatInstant(ms),
    }),
  );
  const startS = Math.min(...began.map(({ ms }) => ms)) / 1000 - 2;
  const theirs = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => theirs() + BEHIND_MS);
  const client = clientOf(gateway);
  onTestFinished(() => client.close());
  const settled = await settle({
    readers: [{ client }],
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
  return { settled, startS };
}
