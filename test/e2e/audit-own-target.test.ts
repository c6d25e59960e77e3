import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { frontOf } from '../support/front-of.ts';
import { listFiles, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const resultSchema = z.object({
  money: z
    .object({
      expected: z.string().nullable(),
      charged: z.string().nullable(),
      difference: z.string().nullable(),
      foreign: z.object({ records: z.number(), amount: z.string() }),
    })
    .nullable(),
  load: z.object({ kinds: z.array(z.object({ kind: z.string(), started: z.number() })) }).nullable(),
  findings: z.array(z.unknown()),
  stopped: z.array(z.object({ scenario: z.string(), reason: z.string() })),
});

async function gateway(latency: 'fast' | 'realistic' = 'fast') {
  const running = await startGateway({ port: 0, seed: 4, latency });
  onTestFinished(() => running.close());
  return running;
}

test('a gateway of one’s own on a shared key: one trial a kind, foreign traffic is no finding, exit 0', async () => {
  const out = scratchDir();
  const { ready } = await gateway();
  const foreign = { sent: 0, stop: false };
  const traffic = (async () => {
    while (!foreign.stop) {
      const answer = await fetch(`${ready.base_url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'elm/elm-8b-instruct',
          messages: [{ role: 'user', content: 'hello there' }],
          max_tokens: 20,
        }),
      });
      await answer.arrayBuffer();
      if (answer.ok) foreign.sent += 1;
    }
  })();
  const finished = await runWeighbridge(
    [
      'audit',
      '--target',
      `${ready.base_url}/v1`,
      '--max-spend-usd',
      '50',
      '--duration',
      '6s',
      '--out',
      out,
      '--json',
    ],
    { env: { WEIGHBRIDGE_API_KEY: ready.api_key } },
  );
  foreign.stop = true;
  await traffic;
  expect(finished.stderr).not.toContain('error:');
  const verdict = verdictOf(finished);
  const result = resultSchema.parse(JSON.parse(readFileSync(verdict.result, 'utf8')));
  expect(result.findings).toEqual([]);
  expect(finished.status).toBe(0);
  expect(result.stopped).toEqual([]);
  expect(result.money?.difference).toBe('0');
  expect(foreign.sent).toBeGreaterThan(10);
  expect(result.money?.foreign.records).toBeGreaterThan(10);
  // Images and videos stay off until asked for.
  expect(result.load?.kinds.map((kind) => kind.kind).sort()).toEqual(['chat', 'messages', 'responses']);
  expect(finished.stderr).toMatch(/trial/);
});

test('a kind whose trial cannot be linked is stopped with the reason; all of them: exit 7', async () => {
  const out = scratchDir();
  const { ready } = await gateway();
  // A gateway in front that takes away every request id: nothing can be linked.
  const { url } = await frontOf(ready.base_url, { keep: [], ids: 'one for all' });
  const config = join(out, 'weighbridge.yaml');
  writeFileSync(config, 'version: 1\nsettle:\n  wait: 3s\n  poll: 1s\n');
  const finished = await runWeighbridge(
    [
      'audit',
      '--config',
      config,
      '--target',
      url,
      '--max-spend-usd',
      '50',
      '--duration',
      '4s',
      '--out',
      out,
      '--json',
    ],
    { env: { WEIGHBRIDGE_API_KEY: ready.api_key } },
  );
  expect(finished.status).toBe(7);
  const result = resultSchema.parse(JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')));
  expect(result.stopped.length).toBe(3);
  expect(result.stopped.every((entry) => /holds no request id, and on a shared key/.test(entry.reason))).toBe(
    true,
  );
});

test('the spend cap: nothing is sent beyond it, exit 6', async () => {
  const out = scratchDir();
  const { ready } = await gateway('realistic');
  const finished = await runWeighbridge(
    [
      'audit',
      '--target',
      ready.base_url,
      '--max-spend-usd',
      '0.0015',
      '--duration',
      '60s',
      '--out',
      out,
      '--json',
    ],
    { env: { WEIGHBRIDGE_API_KEY: ready.api_key } },
  );
  expect(finished.status).toBe(6);
  const result = resultSchema.parse(JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')));
  expect(Number(result.money?.charged ?? '0')).toBeLessThanOrEqual(0.0015);
  expect(result.findings).toEqual([]);
});

test.each(['audit', 'run'])(
  '%s of a paid target without a cap is refused before anything is sent: exit 2',
  async (mode) => {
    const { ready } = await gateway();
    const out = scratchDir();
    const finished = await runWeighbridge([mode, ready.base_url, '--rate', '1/s', '--json', '--out', out], {
      env: { WEIGHBRIDGE_API_KEY: ready.api_key },
    });
    expect(finished.status).toBe(2);
    expect(finished.stderr).toContain('--max-spend-usd');
    expect(finished.stderr).not.toContain(ready.api_key);
    // Nothing was sent, so no folder of a run is left.
    expect(listFiles(out)).toEqual([]);
  },
);

test('an unreachable target: exit 3', async () => {
  const finished = await runWeighbridge(
    ['audit', '--target', 'http://127.0.0.1:9', '--max-spend-usd', '1', '--json', '--out', scratchDir()],
    { env: { WEIGHBRIDGE_API_KEY: 'sk-not-a-real-key' } },
  );
  expect(finished.status).toBe(3);
});

test('credentials refused by the target: exit 3', async () => {
  const { ready } = await gateway();
  const finished = await runWeighbridge(
    ['audit', '--target', ready.base_url, '--max-spend-usd', '1', '--json', '--out', scratchDir()],
    { env: { WEIGHBRIDGE_API_KEY: 'sk-0000000000000000' } },
  );
  expect(finished.status).toBe(3);
});
