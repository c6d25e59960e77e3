import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { keyFingerprint } from '../../src/gateway/account/account-registry.ts';
import { type GatewayReady, startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { listFiles, readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const resultSchema = z.object({
  money: z.object({
    charged: z.string().nullable(),
    difference: z.string().nullable(),
    foreign: z.object({ records: z.number() }),
    by_key: z.array(z.object({ key_fp: z.string().nullable(), calls: z.number(), charged: z.string() })),
  }),
  load: z.object({
    keys: z.array(
      z.object({ key_fp: z.string(), calls: z.number(), ok: z.number(), rate_limited: z.number() }),
    ),
  }),
  completeness: z.object({ complete: z.boolean() }),
});

type Rate = { readonly requests: number; readonly per_ms: number; readonly concurrent: number };

/** A further key of the account. */
async function newKey(ready: GatewayReady, rate: Rate | null): Promise<string> {
  const answer = await fetch(`${ready.control_url}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.control_token}` },
    body: JSON.stringify({ user_id: ready.user_id, rate }),
  });
  return z.object({ api_key: z.string() }).parse(await answer.json()).api_key;
}

const CONFIG = `version: 1
traffic:
  - { name: chat, kind: chat, rate: 8/s, stream: 0.5 }
  - { name: jobs, kind: image_job, rate: 2/s }
`;

/** The flags of a load on a gateway with its first key and a second one of this rate. */
async function loadOfTwo(rate: Rate | null) {
  const { ready, close } = await startGateway({ port: 0, seed: 4, latency: 'fast' });
  onTestFinished(() => close());
  const keys = [ready.api_key, await newKey(ready, rate)];
  const out = scratchDir();
  const files = keys.map((key, index) => {
    const file = join(scratchDir(), `key-${index}.txt`);
    writeFileSync(file, `${key}\n`);
    return file;
  });
  const config = join(out, 'weighbridge.yaml');
  writeFileSync(config, CONFIG);
  const to = ['--target', ready.base_url, '--config', config, '--out', out, '--state', join(out, 'state')];
  const load = ['--max-spend-usd', '50', '--duration', '5s', '--key-file', ...files, '--json'];
  return { keys, files, to, load };
}

async function auditedWithTwo(rate: Rate | null) {
  const { keys, to, load } = await loadOfTwo(rate);
  const finished = await runWeighbridge(['audit', ...to, ...load]);
  expect(finished.stderr).not.toContain('error:');
  const verdict = verdictOf(finished);
  const result = resultSchema.parse(JSON.parse(readFileSync(verdict.result, 'utf8')));
  return { keys, finished, verdict, result, status: finished.status };
}

test('an audit over two keys is exact: calls by turns, records and money of each key', async () => {
  const { keys, verdict, result, status } = await auditedWithTwo(null);
  const fingerprints = keys.map(keyFingerprint);
  expect(status).toBe(0);
  expect(result.money).toMatchObject({ difference: '0', foreign: { records: 0 } });
  expect(result.completeness.complete).toBe(true);
  const { rows } = await loadLedger(verdict.dir);
  // Polls and results too: a task belongs to the key that made it.
  expect(new Set(rows.map(({ kind }) => kind))).toContain('poll');
  for (const { iteration, key_fp } of rows) expect(key_fp).toBe(fingerprints[(iteration ?? 0) % 2]);
  const charged = result.money.by_key.map(({ charged }) => Number(charged.replace('.', '')));
  expect(result.money.by_key.map(({ key_fp }) => key_fp).sort()).toEqual(fingerprints.toSorted());
  expect(charged.every((amount) => amount > 0)).toBe(true);
  expect(readFileSync(join(verdict.dir, 'report.md'), 'utf8')).toMatch(
    /weighbridge audit .* --key-file FILE … /,
  );
  const ends = readNdjson(
    join(verdict.dir, 'usage/pages.ndjson'),
    z.object({ read: z.string(), key_fp: z.string().nullable() }),
  ).filter(({ read }) => read === 'sweep_end');
  expect(new Set(ends.map(({ key_fp }) => key_fp))).toEqual(new Set(fingerprints));

  for (const file of listFiles(verdict.dir)) {
    const text = readFileSync(file, 'latin1');
    expect(keys.filter((key) => text.includes(key))).toEqual([]);
  }
});

test('a run settled later is read with each of its keys, and refuses fewer: calls of the others would be accused', async () => {
  const { files, to, load } = await loadOfTwo(null);
  const { run_id } = verdictOf(await runWeighbridge(['run', ...to, ...load]));
  const later = (keys: readonly string[]) =>
    runWeighbridge(['reconcile', '--run', run_id, '--key-file', ...keys, '--json', ...to.slice(2)]);
  const refused = await later(files.slice(1));
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('code: run_keys_missing')]);
  const settled = await later(files);
  const result = resultSchema.parse(JSON.parse(readFileSync(verdictOf(settled).result, 'utf8')));
  expect([settled.status, result.money.difference, result.money.by_key.length]).toEqual([0, '0', 2]);
});

test('a key that is limited is told from the others: its fingerprint alone has HTTP 429, and the bill stays exact', async () => {
  const { keys, finished, result, status } = await auditedWithTwo({
    requests: 2,
    per_ms: 1_000,
    concurrent: 8,
  });
  const [free = '', limited = ''] = keys.map(keyFingerprint);
  expect(status).toBe(0);
  expect(result.money.difference).toBe('0');
  const of = (fingerprint: string) => result.load.keys.find(({ key_fp }) => key_fp === fingerprint);
  expect(of(free)).toMatchObject({ rate_limited: 0, ok: of(free)?.calls });
  expect(of(limited)?.rate_limited).toBeGreaterThan(0);
  expect(keys.filter((key) => (finished.stdout + finished.stderr).includes(key))).toEqual([]);
});
