import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { loadConfig } from '../../config/load-config.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { ProbeLog } from '../log/probe-log.ts';
import { callOf } from '../runs/paid-run.ts';
import { systemProbeClock } from '../schedule/probe-clock.ts';
import { freshMetrics, probeOf, targetOf } from '../watch/watch-bench.test-support.ts';
import { targetMeans } from './target-means-of.ts';

const [KEY, TOKEN] = ['sk-planted-key-0123', 'planted-token-456789'];
const CHAT = probeOf({ name: 'chat', model: 'm', max_tokens: 4, prompt: 'Say mill.' });

async function meansAt(gateway: RequestListener, more: Partial<ProbeTarget> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'wb-means-'));
  const server = createServer(gateway);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const root = `http://127.0.0.1:${address.port}`;
  const env: Record<string, string> = { KEY, TOKEN };
  const target = {
    ...targetOf({ bases: { root, v1: `${root}/v1`, api: `${root}/api` }, probes: [CHAT] }),
    key: 'env:KEY',
    access_token: 'env:TOKEN',
    headers: { 'x-tenant': 'blue' },
    ...more,
  };
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(file, 'version: 1\n');
  const { http } = loadConfig({ file, env: {}, flags: {} });
  const clock = systemProbeClock();
  const secrets = new SecretValues();
  const sink = { write: () => true };
  const log = new ProbeLog({ sink, secrets, level: 'silent', now: () => clock.now_ms() });
  const daemon = {
    plan: { state_dir: dir, reconcile_ms: 60_000 },
    env,
    version: '0',
    http,
    billing: { book: { adapter: 'auto', file: null, mapping: null }, terms: NO_TERMS },
    archive_days: 800,
    clock,
    metrics: freshMetrics(),
    log,
    secrets,
    openWatch: null,
  } as const;
  const { signal } = new AbortController();
  const means = targetMeans(daemon, {
    target: () => target,
    state: () => {
      throw new Error('nothing is spent here');
    },
    seen: () => Promise.resolve(),
    priced: () => {},
    ending: signal,
    gone: signal,
  });
  onTestFinished(async () => {
    await means.ledger.close();
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true });
  });
  return { means, signal };
}

test('an answer of more than 16 MB to a free read is given up, and told as the failure that it is', async () => {
  const { means, signal } = await meansAt((request, response) => {
    const size = request.url === '/pricing.usd.json' ? 16_000_001 : 16_000_000;
    response.end(Buffer.alloc(size, ' '));
  });
  const client = means.reads(10_000, signal);
  expect(await client.priceBook()).toMatchObject({
    ok: false,
    errorType: 'stream_oversize',
    message: expect.stringContaining('larger than 16000000 bytes'),
  });
  expect(await client.models(false)).toMatchObject({ ok: false, errorType: 'schema_mismatch' });
  await client.close();
});

test('neither key nor access token that a target repeats in a paid answer stands in its row', async () => {
  const { means, signal } = await meansAt((request, response) => {
    request.resume();
    response.writeHead(400, { 'content-type': 'application/json', 'x-request-id': `req-${TOKEN}` });
    const message = `no, ${KEY} of ${TOKEN} and ${Buffer.from(TOKEN).toString('base64')}`;
    response.end(JSON.stringify({ error: { message, type: TOKEN, code: TOKEN } }));
  });
  const day = means.ledger.today();
  const { row } = await day.client.text(
    { ...callOf(CHAT, day, 1n), kind: 'chat', stream: false, max_tokens: 4, auth: 'bearer' },
    signal,
  );
  expect(row).toMatchObject({
    outcome: 'http_error',
    error_message: expect.stringMatching(/^no, \[credential\] of \[credential\] and \[credential\]/),
  });
  expect(JSON.stringify(row)).not.toMatch(/planted/);
});

test('free reads and paid calls carry the headers of the target', async () => {
  const asked: unknown[] = [];
  const { means, signal } = await meansAt((request, response) => {
    request.resume();
    asked.push([request.url, request.headers['x-tenant']]);
    response.writeHead(400).end('{}');
  });
  const client = means.reads(10_000, signal);
  await client.models(false);
  await client.close();
  const day = means.ledger.today();
  await day.client.text(
    { ...callOf(CHAT, day, 1n), kind: 'chat', stream: false, max_tokens: 4, auth: 'bearer' },
    signal,
  );
  expect(asked).toEqual([
    ['/v1/models', 'blue'],
    ['/v1/chat/completions', 'blue'],
  ]);
});

test('a bill is read in the dialect that its target names, and nothing is looked for', async () => {
  const asked: unknown[] = [];
  const { means, signal } = await meansAt(
    (request, response) => {
      asked.push(request.url);
      response.end('{}');
    },
    { dialect: 'litellm' },
  );
  const client = means.reads(10_000, signal);
  await client.priceBook();
  await client.close();
  expect(asked).toEqual(['/model/info']);
});
