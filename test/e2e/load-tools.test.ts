import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { callsOf, type NamedPeer } from '../../bench/peers/peer.ts';
import { locust } from '../../bench/peers/tools/locust.ts';
import { vegeta } from '../../bench/peers/tools/vegeta.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { scratchDir } from '../support/run-weighbridge.ts';

const page = z.object({ data: z.array(z.object({ request_id: z.string(), billing_status: z.string() })) });

async function chargedCalls(root: string, key: string): Promise<number> {
  const asked = await fetch(`${root}/v1/usage/requests?limit=100`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return page.parse(await asked.json()).data.filter(({ billing_status }) => billing_status === 'settled')
    .length;
}

/** Vegeta makes all of them; two users of Locust call every other second, and once more where the end comes late. */
test.each<[NamedPeer, least: number]>([
  [vegeta, 6],
  [locust, 2],
])('$name completes a run against the gateway, and is charged for each call', async (peer, least) => {
  const gateway = await startGateway({ port: 0, seed: 3, latency: 'fast' });
  onTestFinished(() => gateway.close());
  const { base_url: root, api_key: key } = gateway.ready;
  const load = { root, key, model: 'aspen-mini', per_s: 1, seconds: 6, max_tokens: 10 };
  const tool = peer.install();
  const folder = scratchDir();
  const { command, env = {}, exits = [0] } = tool.command(load, folder);
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  const [status] = await once(child, 'close');
  expect(exits, log).toContain(status);
  const told = await tool.read(folder, log);
  expect(told.completed).toBeGreaterThanOrEqual(least);
  expect(told.completed).toBeLessThanOrEqual(callsOf(load) + 2);
  expect(await chargedCalls(root, key)).toBe(told.completed);
});
