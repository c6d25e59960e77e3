import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startForeign, writeConfig } from '../support/foreign-gateway.ts';
import { ROOT, readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const finding = z.object({
  class: z.string(),
  severity: z.string(),
  provisional: z.boolean(),
  direction: z.string(),
  group: z.string().nullable(),
  warrant: z.object({ kind: z.string(), of: z.string() }),
});

const money = z.object({
  money: z.object({
    charged: z.string(),
    expected: z.string().nullable(),
    difference: z.string(),
    open: z.string(),
  }),
});

/** What each of the five is asked for. */
const TRAFFIC: Readonly<Record<string, readonly string[]>> = {
  a: [
    'kind: chat, model: tejo-large, rate: 1/s, stream: 1',
    'kind: messages, model: douro-chat, rate: 1/s, stream: 0.5',
    'kind: image, model: azulejo-1, rate: 0.5/s',
    'kind: video, model: fado-video, rate: 1/s',
  ],
  b: [
    'kind: chat, model: northwind-large, rate: 1.5/s, stream: 1',
    'kind: responses, model: northwind-mini, rate: 1.5/s, stream: 0.5',
    'kind: messages, model: bayou-core, rate: 1.5/s, stream: 0.5',
  ],
  c: [
    'kind: chat, model: dalbit-large, rate: 1/s, stream: 1',
    'kind: video, model: hallyu-film-1, rate: 1/s',
    'kind: image, model: mugung-paint-2, rate: 1/s',
  ],
  d: [
    'kind: chat, model: ledger-70, rate: 1.5/s, stream: 1',
    'kind: responses, model: ledger-8, rate: 1.5/s, stream: 0.5',
    'kind: messages, model: carbon-copy-2, rate: 1.5/s, stream: 0.5',
  ],
  e: [
    'kind: chat, model: meridian-large-3, rate: 1.5/s, stream: 1',
    'kind: responses, model: meridian-base-3, rate: 1.5/s, stream: 0.5',
    'kind: messages, model: ledgerline-mini-2, rate: 1.5/s, stream: 0.5',
  ],
};

interface Audited {
  readonly status: number | null;
  /** Final findings at the gate. */
  readonly accused: readonly z.infer<typeof finding>[];
  readonly money: z.infer<typeof money>['money'];
}

async function judged(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  dir: string,
): Promise<Audited> {
  const done = await runWeighbridge([...args, '--out', dir, '--state', join(dir, 'state'), '--json'], {
    env,
    cwd: dir,
  });
  const { dir: run, result } = verdictOf(done);
  return {
    status: done.status,
    accused: readNdjson(join(run, 'findings.ndjson'), finding).filter(
      ({ severity, provisional }) => severity !== 'S4' && !provisional,
    ),
    money: money.parse(JSON.parse(readFileSync(result, 'utf8'))).money,
  };
}

const account = z.object({ data: z.object({ terms: z.string() }) });

/** c sells sizes by class, and tells each customer which contract is his: both are the user's to say. */
async function termsOfC(url: string, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const headers = {
    authorization: `Bearer ${env['WEIGHBRIDGE_ACCESS_TOKEN']}`,
    'new-api-user': env['WEIGHBRIDGE_USER_ID'] ?? '',
  };
  const answer = await fetch(`${url}/api/user/self`, { headers });
  const { terms } = account.parse(await answer.json()).data;
  const mapping = join(ROOT, 'test/corpus/pricebooks/strangers/c.mapping.yaml');
  return [`billing: { group: ${terms}, book: { mapping: '${mapping}' } }`];
}

/** Under load, and then the same day by the API key alone. */
async function auditBoth(name: string, fault?: number): Promise<{ load: Audited; period: Audited }> {
  const dir = scratchDir();
  const { url, env } = await startForeign(name, join(dir, 'bin'), fault);
  const billing = name === 'c' ? await termsOfC(url, env) : [];
  const config = writeConfig(dir, url, TRAFFIC[name] ?? [], billing);
  const load = await judged(['audit', '--config', config, '--max-spend-usd', '30'], env, dir);
  const [from, to] = [0, 86_400_000].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10));
  const period = await judged(
    ['reconcile', '--config', config, '--from', from ?? '', '--to', to ?? ''],
    env,
    dir,
  );
  return { load, period };
}

test.each([
  ['a', 0],
  ['b', 0],
  ['c', 0],
  ['d', 0],
  ['e', 0],
])('the honest gateway %s is accused of nothing, by its own price list', async (name, status) => {
  const { load, period } = await auditBoth(name);
  expect(load).toMatchObject({ status, accused: [], money: { difference: '0' } });
  expect(period).toMatchObject({ accused: [], money: { difference: '0' } });
  // A day of images and videos may hold too little text to judge by records alone.
  expect([status, 7]).toContain(period.status);
  // What was not read of a price list can't be told; all else is right to the digit.
  if (status === 0) expect(load.money).toMatchObject({ expected: load.money.charged, open: '0' });
  else expect(load.money.open).toBe(load.money.charged);
});

test.each([
  ['c', 9, 'image_price', 'over', 'document'],
  ['b', 10, 'currency_or_unit_error', 'over', 'document'],
  ['d', 9, 'duplicate_charge', 'over', 'observation'],
  ['e', 2, 'uncharged_success', 'under', 'document'],
])('fault %s-%i is named %s, %s, by a %s', async (name, fault, named, direction, kind) => {
  const { load } = await auditBoth(name, fault);
  expect(load.status).toBe(5);
  expect(load.accused.length).toBeGreaterThan(0);
  for (const accusation of load.accused)
    expect(accusation).toMatchObject({ class: named, direction, warrant: { kind } });
});
