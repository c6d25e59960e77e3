import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { NO_TERMS } from '../contracts/billing-terms.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { ProbePlan } from '../contracts/probe-plan.ts';
import { runDaemon } from './daemon.ts';
import { probeOf, targetOf } from './watch/watch-bench.test-support.ts';

const LIST = probeOf({ name: 'list', api: 'models' });

/** A daemon that serves; `read` is what its configuration says when it is asked to read it again. */
async function serving(read: () => ProbePlan['targets']) {
  const dir = mkdtempSync(join(tmpdir(), 'wb-daemon-'));
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(file, 'version: 1\n');
  const { http } = loadConfig({ file, env: {}, flags: {} });
  const plan = (targets: ProbePlan['targets']): ProbePlan => ({
    listen: { host: '127.0.0.1', port: 0, tls: null, auth: null },
    state_dir: dir,
    series_limit: 1000,
    reconcile_ms: 60_000,
    drain_ms: 1_000,
    targets,
  });
  const served = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<() => void>();
  const status = runDaemon(plan([]), {
    ...{ env: {}, version: '0', http, archive_days: 800, openWatch: null, renderKeptMs: 0 },
    billing: { book: { adapter: 'auto', file: null, mapping: null }, terms: NO_TERMS },
    log: { write: () => true },
    reload: () => plan(read()),
    onEnd: (listener) => {
      asked.resolve(() => listener(1));
      return () => undefined;
    },
    onReload: () => () => undefined,
    serving: served.resolve,
  });
  onTestFinished(async () => {
    (await asked.promise)();
    expect(await status).toBe(0);
    rmSync(dir, { recursive: true });
  });
  const url = await served.promise;
  return {
    reload: async () => {
      const answer = await fetch(`${url}/-/reload`, { method: 'POST' });
      return [answer.status, await answer.text()] as const;
    },
    text: async (path: string) => (await fetch(url + path)).text(),
  };
}

test('a bad configuration is told as such, and the one before stays in force until a good one comes', async () => {
  const message = 'weighbridge.yaml:3:5: evry';
  let next: ProbePlan['targets'] | null = [targetOf({ name: 'kept', probes: [LIST] })];
  const daemon = await serving(() => {
    if (next !== null) return next;
    throw new WeighbridgeError({ code: 'config_invalid', message, hint: 'every', exitCode: 2 });
  });
  const successful = async () =>
    /^weighbridge_config_last_reload_successful (\d)$/m.exec(await daemon.text('/metrics'))?.[1];
  expect(await daemon.reload()).toEqual([200, 'reloaded\n']);
  next = null;
  expect(await daemon.reload()).toEqual([500, expect.stringContaining(message)]);
  expect(await successful()).toBe('0');
  expect(await daemon.text('/api/status')).toContain('"kept"');
  next = [targetOf({ name: 'other', probes: [LIST] })];
  expect(await daemon.reload()).toEqual([200, 'reloaded\n']);
  expect(await successful()).toBe('1');
  expect(await daemon.text('/api/status')).not.toContain('"kept"');
});
