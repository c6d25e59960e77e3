/** Reads `node read-all.ts <n>` records once, then again as a proof, and tells what it took. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { GatewayClient } from '../../src/client/gateway-client.ts';
import { collectSweep } from '../../src/collect/collect-sweep.ts';
import { readerState } from '../../src/collect/reader-state.ts';

const served = z.object({ port: z.number(), window: z.object({ start: z.number(), end: z.number() }) });
const gateway = fork(new URL('served-records.ts', import.meta.url), [process.argv[2] ?? '100000'], {
  execArgv: ['--disable-warning=ExperimentalWarning'],
});
const [message] = await once(gateway, 'message');
const { port, window } = served.parse(message);
const root = `http://127.0.0.1:${port}`;
const client = new GatewayClient({
  bases: { root, v1: `${root}/v1`, api: `${root}/api` },
  apiKey: 'sk-bench-0123456789',
  timeoutMs: 10_000,
  userAgent: 'weighbridge-bench',
});
const dir = mkdtempSync(join(tmpdir(), 'weighbridge-reader-'));
try {
  const state = readerState();
  const begun = performance.now();
  const walk = await collectSweep({ client, dir, window, sweep: 1, state });
  const walked = performance.now();
  const before = state.budget.reads;
  const proof = await collectSweep({ client, dir, window, sweep: 2, state, prove: true });
  process.send?.({
    records: walk.records,
    walk_s: (walked - begun) / 1000,
    proof_s: (performance.now() - walked) / 1000,
    reads: state.budget.reads - before,
    proved: proof.proved,
    peak_mb: process.resourceUsage().maxRSS / 1000,
  });
} finally {
  rmSync(dir, { recursive: true, force: true });
  await client.close();
  gateway.disconnect();
  process.disconnect();
}
