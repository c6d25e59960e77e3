import { basename, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { COMPARED_MEASURES, type ComparedMeasure, type RegressionLimit } from '../../contracts/comparison.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { PAID_KINDS, type PaidKind } from '../../core/call-kind.ts';
import type { Plan } from '../../core/plan.ts';
import { keepBaseline } from '../folder/baseline-file.ts';
import { findRunFolder } from '../folder/run-folder.ts';
import { keptRuns } from '../history/kept-runs.ts';
import { lastGood } from '../history/last-good.ts';
import { againstBaseline, baselineExits } from '../judge/judge-baseline.ts';
import { type JudgedFolder, judgeFolder } from '../judge/judge-folder.ts';
import type { Terminal } from '../terminal/terminal.ts';

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

export function baselineOptions(command: Command): Command {
  return command
    .option('--baseline <run>', 'run that this one may not be worse than: its id, or last-good')
    .option(
      '--max-regression <limits>',
      'plain limit on how much worse than that run this one may be, such as ttft_p95=10% or video.e2e_p50=5%, by commas; more is exit 4',
      regressionLimits,
    );
}

/** Null where no baseline is asked for. Throws `baseline_invalid` and `run_not_found` (exit 2), before anything is sent. */
export function askedBaseline({ baseline, maxRegression }: BaselineFlags, out: string): AskedBaseline | null {
  if (baseline === undefined && maxRegression === undefined) return null;
  if (baseline === undefined || maxRegression === undefined) {
    const [given, missing] =
      baseline === undefined ? ['--max-regression', '--baseline'] : ['--baseline', '--max-regression'];
    throw new WeighbridgeError({
      code: 'baseline_invalid',
      message: `expected ${missing} beside ${given}, found none`,
      hint: 'for example --baseline last-good --max-regression ttft_p95=10%,error_share=0%',
      exitCode: EXIT.usage,
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
  terminal: Terminal,
): Promise<JudgedFolder> {
  if (judged.plan === null || judged.measurement === null) return judged;
  const dir = name === LAST_GOOD ? lastGoodBefore(out, runDir, judged.plan) : findRunFolder(out, name);
  if (dir === null) {
    terminal.err(
      `no baseline yet: no earlier run of this plan and target under ${resolve(out)} ended with exit 0`,
    );
    return judged;
  }
  const { measurement } = await judgeFolder(dir);
  if (measurement === null) throw withoutCalls(dir);
  const baseline = againstBaseline(basename(dir), limits, measurement, judged.measurement);
  keepBaseline(runDir, baseline);
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
    message: `--baseline: expected a run that made calls, found ${dir}`,
    hint: 'name a run of `weighbridge run` or `weighbridge audit`',
    exitCode: EXIT.usage,
  });
}

/** `ttft_p95=10%`, `video.e2e_p50=5%`, several with commas between them. */
function regressionLimits(text: string, before: readonly RegressionLimit[] = []): readonly RegressionLimit[] {
  return [...before, ...text.split(',').map((part) => limitOf(part.trim()))];
}

function limitOf(text: string): RegressionLimit {
  const [, kind, measure = '', percent = ''] =
    /^(?:([a-z_]+)\.)?([a-z0-9_]+)=(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (percent === '') throw new InvalidArgumentError(`expected MEASURE=N% or KIND.MEASURE=N%, found ${text}`);
  if (!isMeasure(measure)) {
    throw new InvalidArgumentError(`expected one of ${COMPARED_MEASURES.join(', ')}, found ${measure}`);
  }
  if (kind !== undefined && !isKind(kind)) {
    throw new InvalidArgumentError(`expected one of ${PAID_KINDS.join(', ')} before the dot, found ${kind}`);
  }
  return { kind: kind ?? null, measure, most: Number(percent) / 100 };
}

function isMeasure(name: string): name is ComparedMeasure {
  const known: readonly string[] = COMPARED_MEASURES;
  return known.includes(name);
}

function isKind(name: string): name is PaidKind {
  const known: readonly string[] = PAID_KINDS;
  return known.includes(name);
}
