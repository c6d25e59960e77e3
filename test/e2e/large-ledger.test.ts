import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { FAULTS, writeWorld } from '../../bench/reconcile/world.ts';
import { worldFolder } from '../../bench/reconcile/world-folder.ts';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { scratchDir } from '../support/run-weighbridge.ts';

/** Enough for the ledger to count as large. */
const CALLS = 60_000;
const APPENDED = 2_000;

const setting = z.looseObject({ name: z.string(), value: z.string() });
const result = z.looseObject({
  coverage: z.looseObject({ settings: z.array(setting) }),
  findings: z.array(z.looseObject({ class: z.string(), count: z.number() })),
});

async function judged(dir: string, ...flags: readonly string[]) {
  const said: string[] = [];
  const code = await runProgram(['reconcile', '--run', 'audit', '--out', dir, ...flags], {
    out: (line) => said.push(line),
    err: (line) => said.push(line),
    env: {},
    width: 100,
    ...UNWATCHED,
  });
  const read = result.parse(JSON.parse(readFileSync(join(dir, 'audit/result.json'), 'utf8')));
  const { settings, ...coverage } = read.coverage;
  return {
    code,
    together: Number(settings.find(({ name }) => name === 'judged_together')?.value ?? 0),
    verdict: { ...read, coverage },
  };
}

test('a large ledger is judged together where it is right, with the verdict that each row gives', async () => {
  const dir = scratchDir();
  writeWorld(dir, CALLS);
  worldFolder(dir);
  const stored = await judged(dir);
  expect(stored.code).toBe(5);
  expect(stored.together).toBeGreaterThan(CALLS * 0.9);
  expect(stored.verdict.findings.length).toBeGreaterThanOrEqual(FAULTS.length - 1);
  const again = await judged(dir, '--memory', '1GB');
  expect(again).toEqual(stored);
  writeWorld(dir, CALLS + APPENDED, CALLS);
  const appended = await judged(dir);
  expect(appended.together).toBeGreaterThan(stored.together + APPENDED * 0.9);
  const each = await judged(dir, '--memory', '0');
  expect(each.together).toBe(0);
  expect(each.verdict).toEqual(appended.verdict);
});
