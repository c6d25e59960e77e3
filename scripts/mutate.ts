/**
 * Breaks the price books and the reconciler at places drawn by a seed, and counts what their unit tests see. The mutants
 * and their runs are those of StrykerJS. Those of `npm run mutants` are written by hand and must all be killed.
 *
 *   --sample N   mutants of each folder; 200 where it is left out
 *   --seed N     which ones; the day in UTC where it is left out, so that each night tries others
 *   --workers N  processes that run tests at once; 2 where it is left out
 *
 * Writes test/sampled-mutants.json and docs/sampled-mutants.md. A survivor is no failure: the exit code is 0 when all ran.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { z } from 'zod';
import temporaryRoot from '../test/support/temporary-root.ts';
import { type DrawnMutant, drawn, keyOf, mutantsUnder, rangeOf } from './mutate/draw-mutants.ts';
import {
  countsOf,
  type Judged,
  PAGE,
  pageWith,
  RESULT,
  type SampleResult,
  survivorsOf,
} from './mutate/sample-result.ts';

const FOLDERS = ['src/pricebook', 'src/reconcile'] as const;
const ROOT = resolve(import.meta.dirname, '..');
/** Holds the copies of the tree that StrykerJS breaks. */
const COPIES = '.cache/stryker';
/** What may run longer than its tests did before it was broken. A busy machine stops a process for seconds. */
const GRACE_MS = 30_000;

const COUNT = z.coerce.number().int().positive();
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
    workers: { type: 'string', default: '2' },
  },
});
const sample = COUNT.parse(values.sample);
const seed = COUNT.parse(values.seed);

temporaryRoot();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.chdir(ROOT);
// StrykerJS leaves a copy behind where it is stopped.
process.once('exit', () => rmSync(COPIES, { recursive: true, force: true, maxRetries: 10 }));
const started = performance.now();
const all = new Map<string, DrawnMutant[]>();
for (const folder of FOLDERS) all.set(folder, await mutantsUnder(ROOT, folder));
const wanted = [...all].flatMap(([folder, mutants]) => drawn(mutants, sample, folder, seed));
const judged = await judge(wanted);
const result: SampleResult = {
  schema: 1,
  date: new Date().toISOString().slice(0, 10),
  seed,
  sample,
  seconds: Math.round((performance.now() - started) / 1000),
  versions: {
    node: process.versions.node,
    ...Object.fromEntries(
      ['@stryker-mutator/core', 'vitest', 'typescript'].map((name) => [name, versionOf(name)]),
    ),
  },
  folders: Object.fromEntries(
    [...all].map(([folder, mutants]) => [
      folder,
      countsOf(
        mutants.length,
        judged.filter(({ file }) => file.startsWith(`${folder}/`)),
      ),
    ]),
  ),
  survivors: survivorsOf(judged),
};
writeFileSync(join(ROOT, RESULT), `${JSON.stringify(result, null, 2)}\n`);
writeFileSync(join(ROOT, PAGE), pageWith(readFileSync(join(ROOT, PAGE), 'utf8'), result));
for (const { file, line, was, now } of result.survivors)
  console.log(`survived: ${file}:${line}: ${was} → ${now}`);
for (const [folder, { killed, timeouts, mutants, score }] of Object.entries(result.folders))
  console.log(`${folder}: ${killed + timeouts} of ${mutants} killed, ${score ?? '–'} %`);

/** Runs the drawn mutants; throws where StrykerJS lost one of them. */
async function judge(mutants: readonly DrawnMutant[]): Promise<Judged[]> {
  const keys = new Set(mutants.map(keyOf));
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: [
      fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')),
      join(ROOT, 'scripts/mutate/drawn-checker.ts'),
    ],
    checkers: ['drawn'],
    mutate_sample: { root: ROOT, drawn: [...keys] },
    mutate: mutants.map(rangeOf),
    // No test file is looked for by its imports: the tests that reach a mutant are known from the first run.
    vitest: { configFile: 'scripts/mutate/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What runs only while a file is loaded is reached by every test: each such mutant would take as long as all of them.
    ignoreStatic: true,
    concurrency: COUNT.parse(values.workers),
    timeoutMS: GRACE_MS,
    reporters: ['progress-append-only'],
    tempDirName: COPIES,
    cleanTempDir: 'always',
    ignorePatterns: ['/.cache', '/build', '/dist', '/reports', '/bench/engine/results'],
    // TypeScript 7 lacks the functions by which StrykerJS rewrites a tsconfig.json. None is needed: no name is found by it.
    tsconfigFile: 'none',
  });
  const results = (await stryker.runMutationTest()).map((mutant) => {
    const { fileName, mutatorName, location, replacement, status } = mutant;
    const file = relative(ROOT, fileName);
    const place = { file, mutator: mutatorName, from: location.start, to: location.end, replacement };
    return { place, status };
  });
  const ran = results.filter(({ place }) => keys.has(keyOf(place)));
  if (ran.length !== mutants.length)
    throw new Error(`${mutants.length} mutants drawn, ${ran.length} told of`);
  return ran.map(({ place, status }) => ({
    file: place.file,
    line: place.from.line,
    column: place.from.column,
    mutator: place.mutator,
    was: textAt(place),
    now: place.replacement,
    status,
  }));
}

function textAt({ file, from, to }: DrawnMutant): string {
  const lines = readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .slice(from.line - 1, to.line);
  const last = lines.pop() ?? '';
  return [...lines, last.slice(0, to.column - 1)].join('\n').slice(from.column - 1);
}

function versionOf(name: string): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')));
  return version;
}
