import { basename, resolve } from 'node:path';
import type { RegressionLimit } from '../../contracts/comparison.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import { BASELINE_FILE } from '../folder/run-files.ts';
import { findRunFolder } from '../folder/run-folder.ts';
import { keptRuns, lastGood } from '../history/kept-runs.ts';
import { againstBaseline, baselineExits } from '../judge/judge-baseline.ts';
import { type JudgedFolder, judgeFolder } from '../judge/judge-folder.ts';
import type { Notices } from '../notices/notices.ts';

export interface BaselineFlags {
  readonly baseline?: string;
  readonly maxRegression?: readonly RegressionLimit[];
}

/** What a run may not be worse than, and by how much. */
export interface AskedBaseline {
  readonly out: string;
  readonly name: string;
  readonly limits: readonly RegressionLimit[];
}

const LAST_GOOD = 'last-good';

/** Null where no baseline is asked for. Throws `baseline_invalid` and `run_not_found` (exit 2), before anything is sent. */
export function askedBaseline({ baseline, maxRegression }: BaselineFlags, out: string): AskedBaseline | null {
  if (baseline === undefined && maxRegression === undefined) return null;
  if (baseline === undefined || maxRegression === undefined) {
    const [given, missing] =
      baseline === undefined ? ['--max-regression', '--baseline'] : ['--baseline', '--max-regression'];
    throw new WeighbridgeError({
      code: 'baseline_invalid',
      message: `${given} needs ${missing}.`,
      hint: 'Give both, for example --baseline last-good --max-regression ttft_p95=10%,error_share=0%.',
    });
  }
  if (baseline !== LAST_GOOD) findRunFolder(out, baseline);
  return { out, name: baseline, limits: maxRegression };
}

/** Holds a judged run against its baseline, and keeps in its folder what came of it. */
export async function holdBaseline(
  runDir: string,
  judged: JudgedFolder,
  { out, name, limits }: AskedBaseline,
  notices: Notices,
): Promise<JudgedFolder> {
  if (judged.plan === null || judged.measurement === null) return judged;
  const dir = name === LAST_GOOD ? lastGoodBefore(out, runDir, judged.plan) : findRunFolder(out, name);
  if (dir === null) {
    notices.err(
      `There is no baseline yet. No earlier run of this plan and target under ${resolve(out)} ended with exit status 0.`,
    );
    return judged;
  }
  const { measurement } = await judgeFolder(dir);
  if (measurement === null) throw withoutCalls(dir);
  const baseline = againstBaseline(basename(dir), limits, measurement, judged.measurement);
  BASELINE_FILE.write(runDir, baseline);
  return { ...judged, baseline, exits: [...judged.exits, ...baselineExits(baseline)] };
}

/** Null where the run is the first good one of its plan. */
function lastGoodBefore(out: string, runDir: string, plan: Plan): string | null {
  const others = keptRuns(out).filter(({ id }) => id !== basename(runDir));
  return lastGood(others, plan)?.dir ?? null;
}

function withoutCalls(dir: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'baseline_invalid',
    message: `The run ${dir} of --baseline made no calls.`,
    hint: 'Name a run of `weighbridge run` or `weighbridge audit`.',
  });
}
