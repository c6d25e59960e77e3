/**
 * `npm run bench:engine`: our k6 beside a bare Go client, k6/http, vegeta, Locust and, where asked, AIPerf, against one
 * mock that knows when it sent what. Prints tables and leaves JSON in bench/engine/results; it judges nothing.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineLine } from '../common/pinning.ts';
import { printTable } from '../common/print-table.ts';
import { type BenchOptions, isChosen, readOptions, type Suite, USAGE } from './bench-options.ts';
import { buildTools, ROOT } from './build-tools.ts';
import type { Judged } from './judged.ts';
import { Mock } from './mock.ts';
import { printSuite, runSuite, type SuiteResult } from './run-suite.ts';
import { type Context, foldersUnder } from './suites/context.ts';
import { profileSuite } from './suites/profile.ts';
import { judge } from './targets.ts';

async function main(options: BenchOptions): Promise<void> {
  console.log(machineLine());
  const tools = buildTools(options);
  const base = mkdtempSync(join(tmpdir(), 'wb-bench-'));
  const mock = await Mock.start(tools.rig);
  const context: Context = {
    bench: { rig: tools.rig, mock, scenarios: tools.scenarios },
    tools,
    quick: options.quick,
    reps: options.reps ?? (options.quick ? 1 : 3),
    levels: options.levels ?? (options.quick ? [500, 2000] : [500, 1000, 2000]),
    includes: ({ name }) => isChosen(options, name),
    inFolder: foldersUnder(base),
    progress: (line) => console.error(line),
  };
  try {
    if (options.profile) await profileSuite(context);
    else await measure(context, options.only);
  } finally {
    await mock.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

async function measure(context: Context, suites: readonly Suite[]): Promise<void> {
  const results: SuiteResult[] = [];
  const started = new Date().toISOString();
  const folder = join(ROOT, 'bench/engine/results');
  const file = join(folder, `${started.replaceAll(':', '')}.json`);
  mkdirSync(folder, { recursive: true });
  for (const suite of suites) {
    const result = await runSuite(context, suite);
    results.push(result);
    printSuite(result);
    // Each time, so that a run that is broken off leaves what it found.
    writeFileSync(file, `${JSON.stringify({ started, machine: machineLine(), results }, null, 1)}\n`);
  }
  printTargets(judge(results));
  console.log(`\n${file}`);
}

function printTargets(judged: readonly Judged[]): void {
  if (judged.length === 0) return;
  console.log('\nMarks (medians)');
  printTable([
    ['', 'found', 'mark', ''],
    ...judged.map(({ what, found, target, met }) => [what, found, target, met ? 'met' : 'MISSED']),
  ]);
  console.log(`  ${judged.filter(({ met }) => met).length} of ${judged.length} met`);
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (cause) {
  console.error(`bench: ${cause instanceof Error ? cause.message : String(cause)}\n${USAGE}`);
  process.exitCode = 1;
}
