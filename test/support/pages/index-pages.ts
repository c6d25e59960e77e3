import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { Result } from '../../../src/contracts/result.ts';
import { resultSchema } from '../../../src/contracts/result.ts';
import { finding, reconciliation, reportInput } from '../../../src/report/report.test-support.ts';
import { type IndexedRun, runsIndexHtml } from '../../../src/report/runs-index/runs-index-html.ts';
import { sampleFolder } from '../run-weighbridge.ts';
import type { ShownPage } from './shown-page.ts';

const SAMPLE = resultSchema.parse(JSON.parse(readFileSync(join(sampleFolder(), 'result.json'), 'utf8')));
const WRONG = reportInput({
  reconciliation: reconciliation([finding()]),
  exits: [{ code: 5, why: 'a finding stands at or above the gate' }],
}).result;

/** The sample run on another day: each as fast as its day. */
function onDay(day: number): Result {
  const { load } = SAMPLE;
  const ttft = load?.total.latency.ttft ?? null;
  if (load === null || ttft === null) throw new Error('the sample has no TTFT');
  const latency = { ...load.total.latency, ttft: { ...ttft, p95: ttft.p95 * (1 + 0.2 * Math.sin(day)) } };
  return { ...SAMPLE, load: { ...load, total: { ...load.total, latency } } };
}

/** A run of each day of a month; some find a fault, and of one nothing can be read. */
function runOfDay(_: unknown, day: number): IndexedRun {
  const folder = `202610${String(day + 1).padStart(2, '0')}T030000Z-${4000 + day}`;
  if (day === 7) return { folder, result: null };
  const result = day % 9 === 4 ? WRONG : onDay(day);
  return { folder, result: { ...result, target: 'https://gateway.with-a-long-name.example' } };
}

const INDEXES: readonly (readonly [name: string, runs: readonly IndexedRun[], courses: number])[] = [
  ['small', Array.from({ length: 2 }, runOfDay), 4],
  ['large', Array.from({ length: 31 }, runOfDay), 7],
  ['empty', [], 0],
];

export function indexPages(parent: string): readonly ShownPage[] {
  return INDEXES.map(([name, runs, courses]) => ({
    name: `runs-${name}`,
    address() {
      const file = join(parent, `runs-${name}.html`);
      writeFileSync(file, runsIndexHtml(runs));
      return pathToFileURL(file).href;
    },
    async expected(page) {
      expect(await page.locator('.spark').count()).toBe(courses);
    },
  }));
}
