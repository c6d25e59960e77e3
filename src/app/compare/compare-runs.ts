import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import { compareSamples } from '../../measure/compare/compare-samples.ts';
import type { Measurement } from '../../measure/measure.ts';
import { differences, ONE_RUN_A_SIDE, type RunComparison } from '../../report/comparison/run-comparison.ts';
import { comparisonHtml } from '../../report/page/comparison-html.ts';
import { findRunFolder } from '../folder/run-folder.ts';
import { judgeFolder } from '../judge/judge-folder.ts';
import { ledgerEnds } from '../judge/ledger-ends.ts';
import { VERSION } from '../version/version.ts';

const COMPARISON_PAGE = 'compare.html';

interface Run {
  readonly id: string;
  readonly plan: Plan;
  readonly measurement: Measurement;
  /** What is missing of its calls, in words. */
  readonly gaps: readonly string[];
}

/** Each later run held against the first; a difference is no fault. */
export interface ComparedRuns {
  readonly comparisons: readonly RunComparison[];
  /** Path of the page that shows them. */
  readonly page: string;
}

/** Compares runs under `out` and writes their page. Throws `comparison_invalid` and `run_not_found` (exit 2). */
export async function compareRuns(ids: readonly string[], out: string): Promise<ComparedRuns> {
  const [first, ...later] = ids;
  if (first === undefined || later.length === 0)
    throw cannot(`two or more runs are needed, and ${ids.length} was given.`);
  const before = await readRun(findRunFolder(out, first));
  const comparisons: RunComparison[] = [];
  for (const id of later) comparisons.push(compared(before, await readRun(findRunFolder(out, id))));
  const page = join(out, COMPARISON_PAGE);
  writeFileSync(page, comparisonHtml(comparisons, VERSION));
  return { comparisons, page };
}

async function readRun(dir: string): Promise<Run> {
  const { plan, measurement, ledger } = await judgeFolder(dir);
  if (plan === null || measurement === null) throw cannot(`the run ${dir} made no calls.`);
  return { id: basename(dir), plan, measurement, gaps: ledgerEnds(ledger).gaps };
}

function compared(before: Run, after: Run): RunComparison {
  const figures = compareSamples(before.measurement.samples, after.measurement.samples);
  return {
    before: before.id,
    after: after.id,
    figures,
    notes: [
      ...(differences(figures).length === 0 ? [] : [ONE_RUN_A_SIDE]),
      ...(before.plan.plan_hash === after.plan.plan_hash
        ? []
        : ['the plans differ: so may the calls, and not only what answered them']),
      ...[before, after].flatMap(({ id, gaps }) =>
        gaps.map((gap) => `the ledger of ${id} is not whole: ${gap}`),
      ),
      ...[before, after].flatMap(({ id, measurement: { client } }) =>
        client.verdict === 'valid'
          ? []
          : [`the client of ${id} was no measure: ${client.reasons.join('; ')}`],
      ),
    ],
  };
}

function cannot(message: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'comparison_invalid',
    message: `--compare: ${message}`,
    hint: 'Give the ids of runs under --out. Name the run to compare with first.',
  });
}
