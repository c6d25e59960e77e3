import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { sampleFolder } from '../../../test/support/run-weighbridge.ts';
import { runProgram } from '../../cli/program.ts';
import { UNWATCHED } from '../notices/unwatched.test-support.ts';

export const BEFORE = '20261121T180049Z-8084';
export const AFTER = '20261122T180049Z-9999';

/** The sample run, and the same run with calls that take `factor` times as long. */
export function twoRuns(factor: number): string {
  const out = mkdtempSync(join(tmpdir(), 'weighbridge-baseline-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  for (const run of [BEFORE, AFTER]) cpSync(sampleFolder(), join(out, run), { recursive: true });
  const calls = join(out, AFTER, 'calls');
  for (const name of readdirSync(calls)) {
    const slower = readFileSync(join(calls, name), 'utf8').replaceAll(
      /"(end_ms|ttft_ms)":([0-9.]+)/g,
      (_, field: string, ms: string) => `"${field}":${Number(ms) * factor}`,
    );
    writeFileSync(join(calls, name), slower);
  }
  return out;
}

/** What the command ends with and says, on stdout and stderr. */
export async function report(out: string, ...flags: readonly string[]) {
  const lines: string[] = [];
  const status = await runProgram(['report', '--out', out, ...flags], {
    out: (line) => lines.push(line),
    err: (line) => lines.push(line),
    env: {},
    ...UNWATCHED,
    width: 100,
  });
  return { status, said: lines.join('\n') };
}
