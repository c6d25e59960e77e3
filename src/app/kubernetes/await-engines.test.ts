import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { awaitEngines } from './await-engines.ts';

const state = (instance: string, final: boolean): string =>
  `${JSON.stringify({
    schema: 'weighbridge.state/1',
    run_id: 'r',
    instance,
    at: '2026-11-21T18:00:00.000Z',
    elapsed_ms: 1000,
    scenarios: [],
    sched_lag_ms: 0,
    cpu: 0,
    gc_ms: 0,
    open_files: null,
    rows_lost: 0,
    reserved_usd: null,
    final,
    halted: null,
  })}\n`;

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'wb-await-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'calls');
}

test('it waits for ledgers that come later, and ends when the last one has its end', async () => {
  const calls = folder();
  const said: string[] = [];
  // Each step of the engines follows what the wait has said, so that no time is counted on.
  const steps = [
    () => {
      mkdirSync(calls);
      writeFileSync(join(calls, 'run-1-0.ndjson'), state('run-1', true));
      writeFileSync(join(calls, 'run-2-0.ndjson'), state('run-2', false));
    },
    () => appendFileSync(join(calls, 'run-2-0.ndjson'), state('run-2', true)),
  ];
  const found = await awaitEngines({
    calls,
    engines: 2,
    withinMs: 600_000,
    pollMs: 5,
    say: (line) => {
      said.push(line);
      steps.shift()?.();
    },
  });
  expect(found).toEqual({ closed: ['run-1', 'run-2'], open: [] });
  expect(said).toEqual([0, 1, 2].map((n) => `${n} of 2 engines have closed their ledgers`));
});

test('when the time is up it says who has no end; half a line is none', async () => {
  const calls = folder();
  mkdirSync(calls);
  writeFileSync(join(calls, 'a-0.ndjson'), state('a', true));
  writeFileSync(join(calls, 'b-0.ndjson'), state('b', true).slice(0, -1));
  writeFileSync(join(calls, 'c-0.ndjson'), state('c', true));
  writeFileSync(join(calls, 'c-1.ndjson'), state('c', false));
  writeFileSync(join(calls, 'd-0.ndjson'), '');
  const wait = { calls, engines: 4, withinMs: 0, pollMs: 5, say: () => undefined };
  expect(await awaitEngines(wait)).toEqual({ closed: ['a'], open: ['b', 'c', 'd'] });
});
