import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadResult } from '../../client/read-result.ts';
import { chatBody, startTestGateway, type TestGateway } from '../../gateway/parts/gateway.test-support.ts';
import { readArchive } from '../../pricebook/archive/archive-index.ts';
import { runOf } from '../view/daemon-view.test-support.ts';
import type { FreeRead } from '../watch/target-watch.ts';
import {
  benchOf,
  freshMetrics,
  probeOf,
  samples,
  stateFolder,
  targetOf,
} from '../watch/watch-bench.test-support.ts';
import { openTargetWatch } from './open-target-watch.ts';

const MODEL = 'aspen-mini';

async function watched(gateway: TestGateway, dir: string) {
  const { base_url: root, api_key, access_token, user_id } = gateway.running.ready;
  const bases = { root, v1: `${root}/v1`, api: `${root}/api` };
  const account = { accessToken: access_token, userId: String(user_id) };
  const client = () =>
    new GatewayClient({ bases, apiKey: api_key, ...account, timeoutMs: 5000, userAgent: 'test' });
  const own = client();
  onTestFinished(() => own.close());
  const metrics = freshMetrics();
  const probe = probeOf({ name: 'chat', model: MODEL });
  const target = targetOf({ bases, probes: [probe], watched_models: [MODEL, 'nobody-sells-this'] });
  const means = benchOf({ dir, metrics, target, client, now_ms: Date.now() });
  const watch = openTargetWatch(means);
  const ok = async <T>(read: Promise<ReadResult<T>>) => {
    const answer = await read;
    if (!answer.ok) throw new Error(answer.message);
    return answer;
  };
  /** Every free read once, as the daemon's runs make them. */
  const all = async (): Promise<void> => {
    const at_ms = Date.now();
    const end = Math.ceil(at_ms / 1000) + 1;
    const window = { start: end - 3600, end };
    const read = { probe, at_ms };
    const reads: FreeRead[] = [
      { ...read, document: 'models', credential: 'key', answer: await ok(own.models(true)) },
      { ...read, document: 'models', credential: 'none', answer: await ok(own.models(false)) },
      { ...read, document: 'pricebook', answer: await ok(own.priceBook()), book: null, problems: [] },
      ...(['1h', '1d'] as const)
        .map((name) => ({ name }))
        .map(({ name }) => ({ ...read, document: 'totals' as const, name, window, answer: totals })),
      {
        ...read,
        document: 'records',
        name: '1h',
        window,
        pages: [await ok(own.usageRequests({ window, limit: 100, before: null }))],
        key_fp: null,
        whole: true,
      },
      { ...read, document: 'account', answer: await ok(own.account()) },
    ];
    for (const each of reads) await watch.seen(each);
  };
  const totals = await ok(
    own.usageTotals({
      window: { start: Math.floor(Date.now() / 1000) - 3600, end: Math.ceil(Date.now() / 1000) + 1 },
    }),
  );
  const told = async (name: string) => (await samples(metrics, name)).filter((line) => !line.endsWith(' 0'));
  return { watch, means, probe, all, told, metrics };
}

test('each free read of a gateway becomes figures and stands in the archive', async () => {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.running.close());
  for (let at = 0; at < 3; at += 1)
    await gateway.call('POST', '/v1/chat/completions', chatBody({ model: MODEL }));
  const dir = stateFolder();
  const { watch, means, probe, all, told, metrics } = await watched(gateway, dir);
  await all();
  watch.ended(probe, runOf({ error_type: 'none' }));
  expect(means.said).toEqual([]);
  const [record] = await gateway.records();
  const amount = Number(record?.amount) * 3;
  const settled = await told('weighbridge_usage_settled_usd');
  expect(settled.map((line) => line.split(' ')[0])).toEqual(['{window="1h"}', '{window="1d"}']);
  expect(Number(settled[0]?.split(' ')[1])).toBeCloseTo(amount, 9);
  expect(await told('weighbridge_usage_model_settled_usd')).toEqual([
    expect.stringMatching(/^\{model="aspen-mini"\} [\d.e-]+$/),
  ]);
  expect(await told('weighbridge_usage_read_records')).toEqual(['{window="1h"} 3']);
  expect(await samples(metrics, 'weighbridge_usage_totals_drift_usd')).toEqual(['{window="1h"} 0']);
  expect(await told('weighbridge_model_listed')).toEqual([`{model="${MODEL}"} 1`]);
  expect(await told('weighbridge_models_probed')).toEqual(['{state="available"} 1']);
  expect((await told('weighbridge_price_usd_per_token')).length).toBeGreaterThanOrEqual(2);
  expect(await told('weighbridge_pricebook_models')).toEqual([
    expect.stringMatching(/^\{state="priced"\} \d+$/),
  ]);
  expect(await told('weighbridge_account_quota_units')).toHaveLength(1);
  expect(watch.view()).toEqual({ credit_units: expect.any(BigInt), audit: null });
  const kept = readArchive(join(dir, '../archive')).map(({ what, part }) => `${what} ${part}`);
  expect(kept.sort()).toEqual([
    'account null',
    'book null',
    'models key',
    'models none',
    'records 1h/1',
    'totals 1d',
    'totals 1h',
  ]);
  await watch.close();
  // Nothing of the target stays, so that a removed one is not shown as it last was.
  expect((await metrics.render('text')).body).not.toContain('target="main"');
  expect(means.clock.timers()).toBe(0);
});

test('after a restart nothing has changed that has not', async () => {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.running.close());
  const dir = stateFolder();
  const first = await watched(gateway, dir);
  await first.all();
  await first.watch.close();
  const second = await watched(gateway, dir);
  await second.all();
  for (const name of [
    'weighbridge_models_changes',
    'weighbridge_pricebook_changes',
    'weighbridge_usage_record_changes',
  ])
    expect(await second.told(name), name).toEqual([]);
  await second.watch.close();
  // A read that comes after the end finds nobody.
  await second.all();
  expect((await second.metrics.render('text')).body).not.toContain('target="main"');
});
