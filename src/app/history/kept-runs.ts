import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Shape } from '../../contracts/shape.ts';
import { parseInstant } from '../../core/time.ts';
import { jsonOf } from '../../text/json-of.ts';

/** A run under `--out` as its own files tell it, finished or not. */
export interface KeptRun {
  readonly id: string;
  readonly dir: string;
  readonly command: 'audit' | 'run' | null;
  readonly began_ms: number;
  /** When the last call was to be started. */
  readonly planned_end_ms: number;
  readonly plan_hash: string;
  readonly target: {
    readonly name: string;
    readonly root: string;
    readonly embedded: boolean;
    /** Absent in the plans of earlier versions, whose targets had one. */
    readonly bill?: string | undefined;
  };
  /** Null where it came to no verdict: it is under way, or was killed. */
  readonly verdict: RunVerdict | null;
}

export interface RunVerdict {
  readonly exits: readonly { readonly code: number; readonly why: string }[];
  /** Null where no bill was read. */
  readonly money: Shape<typeof sums> | null;
}

/** As `newRunId` makes them: whatever else stands under `--out` is none of ours to judge or remove. */
const RUN_ID = /^\d{8}T\d{6}Z-[0-9a-f]{4}$/;

const planHead = z.looseObject({
  created_at: z.string(),
  plan_hash: z.string(),
  target: z.looseObject({
    name: z.string(),
    root: z.string(),
    embedded: z.boolean(),
    bill: z.string().optional(),
  }),
  workload: z.looseObject({ duration_ms: z.number() }),
});

const usd = z.string().nullable();
/** USD as decimals, null where an amount is not known. */
const sums = z.looseObject({
  charged: usd,
  expected: usd,
  difference: usd,
  certain_over: usd,
  certain_under: usd,
});
const resultHead = z.looseObject({
  exit_codes: z.array(z.looseObject({ code: z.number(), why: z.string() })),
  money: sums.nullable(),
});

const commandHead = z.looseObject({ mode: z.enum(['audit', 'run']) });

/**
 * The runs under `out`, the newest first: ids begin with when they began. A folder without a readable plan is passed over.
 * Only what all versions of these files have is read.
 */
export function keptRuns(out: string): readonly KeptRun[] {
  // A link is no folder of ours: what it leads to may stand elsewhere for a reason.
  const folders = existsSync(out) ? readdirSync(out, { withFileTypes: true }) : [];
  return folders
    .flatMap((entry) => (entry.isDirectory() && RUN_ID.test(entry.name) ? [entry.name] : []))
    .sort()
    .toReversed()
    .flatMap((id) => keptRun(resolve(out, id), id) ?? []);
}

/** What a run came to, where it came to something. */
export function readVerdict(runDir: string): RunVerdict | null {
  const result = resultHead.safeParse(read(runDir, 'result.json'));
  return result.success ? { exits: result.data.exit_codes, money: result.data.money } : null;
}

function keptRun(dir: string, id: string): KeptRun | null {
  const plan = planHead.safeParse(read(dir, 'plan.json'));
  const began_ms = plan.success ? parseInstant(plan.data.created_at) : null;
  if (!plan.success || began_ms === null) return null;
  const { plan_hash, target, workload } = plan.data;
  const command = commandHead.safeParse(read(dir, 'command.json'));
  return {
    id,
    dir,
    command: command.success ? command.data.mode : null,
    began_ms,
    planned_end_ms: began_ms + workload.duration_ms,
    plan_hash,
    target,
    verdict: readVerdict(dir),
  };
}

function read(dir: string, name: string): unknown {
  try {
    return jsonOf(readFileSync(join(dir, name), 'utf8'));
  } catch {
    // One folder that cannot be read hides no other.
    return undefined;
  }
}

/** The newest of the runs (the newest first) with the same calls on the same target that ended with exit 0. */
export function lastGood(
  runs: readonly KeptRun[],
  { plan_hash, target }: Pick<KeptRun, 'plan_hash' | 'target'>,
): KeptRun | null {
  const isGood = (run: KeptRun): boolean =>
    run.verdict?.exits.length === 0 && run.plan_hash === plan_hash && isSameTarget(run.target, target);
  return runs.find(isGood) ?? null;
}

/** An embedded gateway has another port each time. */
export function isSameTarget(left: KeptRun['target'], right: KeptRun['target']): boolean {
  return left.embedded || right.embedded ? left.embedded && right.embedded : left.root === right.root;
}
