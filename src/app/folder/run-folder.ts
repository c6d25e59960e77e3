import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { billing } from '../../config/billing-schema.ts';
import { formatConfig } from '../../config/format-config.ts';
import { moneyText } from '../../config/money-text.ts';
import { readYaml } from '../../config/read-yaml.ts';
import { type ResolvedBilling, resolveBilling } from '../../config/resolve-billing.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { acceptedCauseSchema } from '../../contracts/acceptance.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { type Plan, planSchema } from '../../contracts/plan.ts';
import { PLAN_SCHEMA } from '../../contracts/schema-names.ts';
import type { StoredReplay } from '../../plan/resolve-plan.ts';
import { TRACE_FILE } from '../../plan/trace/read-trace.ts';
import { DEFAULT_TOLERANCES, type Tolerances } from '../../reconcile/input/reconcile-input.ts';
import type { RunPlace } from '../../report/sections/repeat-section.ts';
import { buildRevision } from '../version/version.ts';
import { readAssumed } from './assumed-file.ts';
import { withAsked } from './gate-file.ts';
import { writeBuild } from './run-files.ts';

/** What `--out` is where it is not given: the folder that contains the run folders. */
export const DEFAULT_OUT = 'reports';

const CONFIG_FILE = 'config.yaml';
/** The configuration that the last verdict was asked to judge by, in place of the run's own. */
const JUDGED_BY_FILE = 'judged-by.yaml';

/** Makes `<out>/<run_id>/` and stores the resolved configuration, which holds no secret, and what ran. */
export function makeRunFolder(out: string, runId: string, config: ResolvedConfig): string {
  const dir = resolve(out, runId);
  makeFolder(dir);
  writeConfig(dir, config);
  writeBuild(dir, buildRevision());
  return dir;
}

/** Stores the trace of a run, and the configuration that replays it from here. */
export function storeReplay(runDir: string, { trace, config }: StoredReplay): void {
  writeFileSync(join(runDir, TRACE_FILE), trace);
  writeConfig(runDir, config);
}

function writeConfig(dir: string, config: ResolvedConfig): void {
  keepJudgedBy(dir, null);
  writeFileSync(join(dir, CONFIG_FILE), formatConfig(config));
}

/** Keeps the configuration of a verdict in the folder, so that its report is rendered again by it; null: the run's own holds. */
export function keepJudgedBy(runDir: string, config: ResolvedConfig | null): void {
  const file = join(runDir, JUDGED_BY_FILE);
  if (config === null) rmSync(file, { force: true });
  else writeFileSync(file, formatConfig(config));
}

export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'out_unwritable',
      message: `The folder ${dir} could not be created: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Give --out a folder that you can write to.',
      cause,
    });
  }
}

const tolerancesSchema = z.looseObject({
  tolerances: z.object({
    min_checked: z.number(),
    gate: z.enum(['S1', 'S2', 'S3', 'S4']),
    gate_usd: z.string().default(DEFAULT_TOLERANCES.gate_usd),
    gate_classes: z.array(z.enum(FAULT_CLASSES)).default([]),
  }),
  accept: z.array(acceptedCauseSchema).default([]),
});

const billingSchema = z.looseObject({ billing: billing.optional() });

/** Those of the configuration that judges, and over them what the last verdict on the folder asked for by its flags. */
export function readTolerances(runDir: string): Tolerances {
  const config = readConfig(runDir, tolerancesSchema);
  return withAsked(
    runDir,
    config === null ? DEFAULT_TOLERANCES : { ...config.tolerances, accept: config.accept },
  );
}

/** The billing terms and the reader of the book, of the configuration that judges, under what was assumed by a flag. */
export function readBilling(runDir: string): ResolvedBilling {
  return resolveBilling(readConfig(runDir, billingSchema)?.billing, runDir, readAssumed(runDir));
}

const claimsSchema = z.looseObject({
  claims: z.object({ minimum_usd: moneyText.nullable().default(null) }).default({ minimum_usd: null }),
});

/** The least that a letter claims, of the configuration that judges; null: anything. */
export function readLeastClaim(runDir: string): string | null {
  return readConfig(runDir, claimsSchema)?.claims.minimum_usd ?? null;
}

/** Null where the folder holds no configuration. */
function readConfig<Part>(runDir: string, schema: z.ZodType<Part>): Part | null {
  const file = [JUDGED_BY_FILE, CONFIG_FILE]
    .map((name) => join(runDir, name))
    .find((each) => existsSync(each));
  return file === undefined ? null : readYaml({ text: readFileSync(file, 'utf8'), file }, schema);
}

/** The plan of a run folder: what was to be called, at which prices at most. */
export function readPlan(runDir: string, name = 'plan.json'): Plan {
  const file = join(runDir, name);
  if (!existsSync(file)) throw unreadablePlan(file, 'no such file');
  const parsed = planSchema.safeParse(parseJson(readFileSync(file, 'utf8'), file));
  if (parsed.success) return parsed.data;
  throw unreadablePlan(file, z.prettifyError(parsed.error));
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadablePlan(file, cause instanceof Error ? cause.message : String(cause));
  }
}

function unreadablePlan(file: string, found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'plan_unreadable',
    message: `The file ${file} is not a ${PLAN_SCHEMA} file:\n${found}`,
    hint: 'Use the plan.json that the run wrote, or make a new one with `weighbridge plan --out FILE`.',
  });
}

/** The folder of a run by its id, or the newest run under `out`. */
export function findRunFolder(out: string, runId: string | undefined): string {
  if (runId !== undefined) return folderNamed(out, runId);
  const newest = newestRun(out);
  if (newest === null) throw notFound(`no run in ${resolve(out)}`, folders(out));
  return resolve(newest);
}

/** As `findRunFolder`, but the newest may be the audit of a period too: whatever was judged can be rendered. */
export function findJudgedFolder(out: string, runId: string | undefined): string {
  if (runId !== undefined) return folderNamed(out, runId);
  const [newest] = [newestRun(out), newestPeriod(out)]
    .filter((dir) => dir !== null)
    .sort((left, right) => madeMs(right) - madeMs(left));
  if (newest === undefined) throw notFound(`no run and no audit in ${resolve(out)}`, folders(out));
  return resolve(newest);
}

/** The newest folder whose findings name the id: the one that a verdict pointed at, though others were made since. */
export function findFolderOfFinding(out: string, id: string): string | null {
  const judged = foldersWith(out, 'findings.ndjson').sort((left, right) => madeMs(right) - madeMs(left));
  const named = judged.find((dir) => readFileSync(join(dir, 'findings.ndjson')).includes(`"${id}"`));
  return named === undefined ? null : resolve(named);
}

function folderNamed(out: string, runId: string): string {
  if (basename(runId) !== runId) throw notFound(`no run ${runId}: a run id contains no slash`);
  const dir = resolve(out, runId);
  if (existsSync(dir)) return dir;
  throw notFound(`no run at ${dir}`, folders(out));
}

/** Their names begin with when they began. */
function newestRun(out: string): string | null {
  const runs = foldersWith(out, 'calls').filter((dir) => !dir.endsWith('/sample'));
  return runs.sort().at(-1) ?? null;
}

function newestPeriod(out: string): string | null {
  const audits = foldersWith(out, 'period.json');
  return audits.sort((left, right) => madeMs(left) - madeMs(right)).at(-1) ?? null;
}

function foldersWith(out: string, part: string): string[] {
  return (existsSync(out) ? readdirSync(out) : [])
    .map((name) => join(out, name))
    .filter((dir) => statSync(dir).isDirectory() && existsSync(join(dir, part)));
}

/** When a run or an audit last began in a folder; rendering it leaves that as it is. */
function madeMs(dir: string): number {
  const file = join(dir, CONFIG_FILE);
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

/** Where commands find a run folder again: its parent from here where that lies below, else in full. */
export function placeOf(runDir: string): RunPlace {
  const parent = dirname(resolve(runDir));
  const below = relative('.', parent);
  const out = below === '' ? '.' : below.startsWith('..') ? parent : below;
  return { out: out === DEFAULT_OUT ? null : out, name: basename(runDir) };
}

const MOST_FOLDERS = 5;

/** What `--run` can name here, the newest first: audits of a period are never taken by themselves, several may hold. */
function folders(out: string): readonly string[] {
  return (existsSync(out) ? readdirSync(out) : [])
    .filter((name) => [CONFIG_FILE, 'period.json'].some((file) => existsSync(join(out, name, file))))
    .sort((left, right) => statSync(join(out, right)).mtimeMs - statSync(join(out, left)).mtimeMs)
    .slice(0, MOST_FOLDERS);
}

function notFound(found: string, there: readonly string[] = []): WeighbridgeError {
  const make =
    'Start a run with `weighbridge audit`, or audit a past month with `weighbridge reconcile --month YYYY-MM`.';
  return new WeighbridgeError({
    code: 'run_not_found',
    message: `There is ${found}.`,
    hint:
      there.length === 0
        ? `${make} If the runs are in another folder, give it with --out.`
        : `Give one of these ids: ${there.join(', ')}. ${make}`,
  });
}
