import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { cleanEnv, ROOT, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const failure = z.object({
  error: z.object({ code: z.string(), hint: z.string() }),
  exit_codes: z.array(z.number()),
});

function config(dir: string, ...lines: string[]): string {
  const file = join(dir, 'own.yaml');
  writeFileSync(file, ['version: 1', ...lines, ''].join('\n'));
  return file;
}

test('kill -9 of the command stops the spending: the load engine starts nothing more and ends', async () => {
  const out = scratchDir();
  const child = spawn(
    process.execPath,
    [join(ROOT, 'bin/weighbridge.mjs'), 'audit', '--duration', '600s', '--out', out],
    {
      env: cleanEnv(),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  await new Promise<void>((started) => {
    child.stderr.on('data', (text: Buffer) => {
      if (/started [1-9]/.test(text.toString())) started();
    });
  });
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
  const [run] = readdirSync(out);
  const dir = join(out, run ?? '');
  // The event to wait for is the final state line, which k6 writes when it has drained.
  const states = async () => (await loadLedger(dir)).states;
  await expect.poll(async () => (await states()).some((state) => state.final), { interval: 200 }).toBe(true);
  const last = (await states()).at(-1);
  expect({ final: last?.final, halted: last?.halted }).toEqual({ final: true, halted: 'interrupted' });
  expect(last?.elapsed_ms ?? 0).toBeLessThan(600_000);
});

test('run drives and measures, judges no bill, and ends 0', async () => {
  const out = scratchDir();
  const finished = await runWeighbridge(['run', '--duration', '4s', '--out', out, '--json']);
  expect(finished.stderr).not.toContain('error:');
  expect(finished.status).toBe(0);
  const { dir, result } = verdictOf(finished);
  const { money, load } = z
    .object({ money: z.unknown(), load: z.object({ total: z.object({ ok: z.number() }) }) })
    .parse(JSON.parse(readFileSync(result, 'utf8')));
  expect(money).toBeNull();
  expect(load.total.ok).toBeGreaterThan(20);
  expect(existsSync(join(dir, 'findings.ndjson'))).toBe(false);
});

test('a run of which every call was refused is no success, and concludes nothing: exit 4', async () => {
  const out = scratchDir();
  const file = config(out, 'duration: 3s', 'traffic:', '  - {kind: chat, rate: 1/s, model: no-such-model}');
  const finished = await runWeighbridge(['audit', '--config', file, '--out', out, '--json']);
  expect({ status: finished.status, codes: verdictOf(finished).exit_codes }).toEqual({
    status: 4,
    codes: [4, 7],
  });
});

test('a missed objective: exit 4', async () => {
  const out = scratchDir();
  const file = config(
    out,
    'duration: 3s',
    'traffic:',
    '  - {kind: chat, rate: 2/s, stream: 0}',
    '  - {kind: responses, rate: 2/s, model: no-such-model}',
    'objectives:',
    '  - {kind: responses, measure: error_share, max: 0.1}',
    '  - {kind: chat, measure: error_share, max: 0}',
  );
  const finished = await runWeighbridge(['audit', '--config', file, '--out', out, '--json']);
  expect({ status: finished.status, codes: verdictOf(finished).exit_codes }).toEqual({
    status: 4,
    codes: [4],
  });
});

test('a failure is told on stdout too where a program reads it, and leaves no run folder behind', async () => {
  const out = scratchDir();
  const finished = await runWeighbridge(
    ['audit', '--target', 'http://127.0.0.1:9', '--max-spend-usd', '1', '--out', out, '--json'],
    { env: { WEIGHBRIDGE_API_KEY: 'sk-not-a-real-key' } },
  );
  expect(finished.status).toBe(3);
  const told = failure.parse(JSON.parse(finished.stdout));
  expect(told).toMatchObject({ error: { code: 'target_unreachable' }, exit_codes: [3] });
  expect(readdirSync(out)).toEqual([]);
});

test('a port that is taken, a folder that cannot be made, a journal nowhere: the user’s to mend, exit 2', async () => {
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = address !== null && typeof address === 'object' ? String(address.port) : '';
  const busy = await runWeighbridge(['gateway', '--port', port]);
  expect({ status: busy.status, text: busy.stderr }).toEqual({
    status: 2,
    text: expect.stringContaining('already uses port'),
  });
  const out = scratchDir();
  writeFileSync(join(out, 'file'), '');
  const folder = await runWeighbridge(['audit', '--duration', '1s', '--out', join(out, 'file')]);
  expect({ status: folder.status, text: folder.stderr }).toEqual({
    status: 2,
    text: expect.stringContaining('out_unwritable'),
  });
  const journal = await runWeighbridge([
    'gateway',
    '--port',
    '0',
    '--journal',
    join(out, 'no/such/folder.ndjson'),
  ]);
  expect({ status: journal.status, text: journal.stderr }).toEqual({
    status: 2,
    text: expect.stringContaining('file_unwritable'),
  });
});
