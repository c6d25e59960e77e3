import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WeighbridgeError } from '../contracts/failure.ts';
import { budgetAt } from './budget-at.ts';
import type { Budget } from './budget-schema.ts';
import { type ConfigFile, configSchema } from './config-schema.ts';
import { absoluteReference } from './credential-reference.ts';
import { DEFAULTS } from './defaults.ts';
import { msOf } from './duration.ts';
import { type GuardFlags, type Guards, permissionOf, readGuards } from './guard-flags.ts';
import { Layers } from './layers.ts';
import { careful, type LineFlags, lineCallsPerVu, lineDuration, lineTraffic } from './line-traffic.ts';
import { configInvalid, formatPath, type Problem } from './problem.ts';
import { readYaml } from './read-yaml.ts';
import { type BodyMembers, readExtra } from './request-body.ts';
import { resolveBilling } from './resolve-billing.ts';
import { resolveEngine, resolveMetrics, resolveTrace } from './resolve-engine.ts';
import { resolveObjectives } from './resolve-objectives.ts';
import { resolvePhases } from './resolve-phases.ts';
import { resolveTraffic } from './resolve-traffic.ts';
import type { Origin, ResolvedConfig } from './resolved-config.ts';
import {
  type ConfigFlags,
  flagName,
  type RequestFlags,
  readSettings,
  SETTING_ENV,
  type Settings,
} from './settings.ts';
import { type HeaderReferences, lowerCased, readHeaderFlags } from './target-headers.ts';
import { nameTraffic } from './traffic-names.ts';
import type { TrafficFile } from './traffic-schema.ts';

export interface ConfigRequest {
  /** `--config`. Without it WEIGHBRIDGE_CONFIG, else ./weighbridge.yaml, else the default plan. */
  readonly file?: string | undefined;
  /** Directory that relative paths start from. Default: the process's. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: ConfigFlags & LineFlags & GuardFlags & RequestFlags;
}

/** The plan that ships with the package: two levels above src/config and dist/config alike. */
export const DEFAULT_PLAN_FILE = fileURLToPath(new URL('../../weighbridge.yaml', import.meta.url));

/** Resolves flags over environment over file over defaults. Throws `config_invalid` or `config_missing` (exit 2). */
export function loadConfig(request: ConfigRequest): ResolvedConfig {
  const problems: Problem[] = [];
  const flag = readSettings(request.flags, flagName, problems);
  const envTexts = Object.fromEntries(
    Object.entries(SETTING_ENV).map(([key, name]) => [key, request.env[name]]),
  );
  const env = readSettings(envTexts, (key) => SETTING_ENV[key], problems);
  const path = configPath(request);
  const file = readConfigFile(path);
  const guards = readGuards(request.flags, problems);
  const isDefault = isDefaultPlan(path);
  const [only, ...more] = isDefault ? [] : (file.traffic ?? []);
  const given = lineTraffic(
    request.flags,
    request.cwd ?? process.cwd(),
    problems,
    more.length === 0 ? only : null,
  );
  const bases = flag.target ?? env.target ?? file.target?.url;
  const isAllowed = bases?.loopback !== false || (guards.permission ?? file.target?.permission) !== undefined;
  const line = given === null || isAllowed ? given : careful(given);
  if (line !== null && file.trace !== undefined)
    problems.push({ at: '--rate', path: '', rule: TRACE_RULE, found: null, suggestion: null });
  const extra = readExtra(request.flags.extra ?? [], problems);
  const headers = readHeaderFlags(request.flags.header ?? [], problems);
  const config = resolveConfig({
    path,
    file,
    line,
    guards,
    isDefault,
    flag,
    env,
    extra,
    headers,
    objectives: request.flags.objective ?? [],
    problems,
  });
  if (problems.length > 0) throw configInvalid(problems);
  return config;
}

const TRACE_RULE = 'no flag of the calls goes with trace: its file says when and what is called';

/** True for the plan that ships with the package, under whatever path. */
export function isDefaultPlan(path: string): boolean {
  return (
    existsSync(DEFAULT_PLAN_FILE) &&
    existsSync(path) &&
    realpathSync(path) === realpathSync(DEFAULT_PLAN_FILE)
  );
}

interface ConfigInputs {
  readonly path: string;
  readonly file: ConfigFile;
  /** What the flags of the calls stand for, over the only entry of the file; it takes the place of the file's traffic. */
  readonly line: TrafficFile | null;
  readonly guards: Guards;
  readonly isDefault: boolean;
  readonly flag: Settings;
  readonly env: Settings;
  readonly extra: BodyMembers;
  readonly headers: HeaderReferences;
  /** Bounds of flags, as typed: they hold beside those of the file. */
  readonly objectives: readonly string[];
  readonly problems: Problem[];
}

function resolveConfig({
  path,
  file,
  line,
  guards,
  isDefault,
  flag,
  env,
  extra,
  headers,
  objectives,
  problems,
}: ConfigInputs): ResolvedConfig {
  const layers = new Layers();
  const take = layers.take.bind(layers);
  // Times, seed and traffic of the plan that ships with the package are nobody's wish.
  const own = isDefault ? undefined : file;
  const top = layers.section('', file);
  const target = layers.section('target.', file.target);
  const streamEnd = target('stream_end', 'auto');
  const timeouts = layers.section('timeouts.', own?.timeouts);
  const tolerances = layers.section('tolerances.', file.tolerances);
  const settle = layers.section('settle.', own?.settle);
  const ownTraffic = line === null ? own?.traffic : [line];
  const rateScale = take(
    'rate_scale',
    { flag: flag.rateScale, env: env.rateScale, file: file.rate_scale },
    '1',
  );
  const trace = resolveTrace(file.trace, layers, dirname(path), extra, problems);
  const isDefaultTraffic = ownTraffic === undefined && trace === null;
  const traffic = resolveTraffic(
    trace === null ? (ownTraffic ?? readConfigFile(DEFAULT_PLAN_FILE).traffic ?? []) : [],
    rateScale,
    layers,
    problems,
    dirname(path),
    extra,
  );
  if (isDefaultTraffic) markTraffic(layers, 'default');
  else if (line !== null) markTraffic(layers, 'flag');
  layers.take('traffic', line === null ? { file: ownTraffic } : { flag: ownTraffic }, undefined);
  const phases = resolvePhases({
    path,
    file,
    duration: {
      flag:
        flag.duration ??
        (own?.duration === undefined && env.duration === undefined && line !== null
          ? lineDuration(line)
          : undefined),
      env: env.duration,
      file: own?.duration,
    },
    layers,
    problems,
  });
  return {
    file: path,
    target: {
      bases: take('target.url', { flag: flag.target, env: env.target, file: file.target?.url }, null),
      name: target('name', null),
      key: target('key', DEFAULTS.key),
      tokenizer: tokenizerAt(target('tokenizer', null), dirname(path)),
      dialect: take(
        'target.dialect',
        { flag: flag.dialect, env: env.dialect, file: file.target?.dialect },
        'auto',
      ),
      stream_end: streamEnd === 'auto' ? null : streamEnd,
      headers: resolveHeaders(file.target?.headers, headers, layers, path),
      permission: permissionOf(
        take('target.permission', { flag: guards.permission, file: file.target?.permission }, undefined),
      ),
      budget: take<Budget | null>(
        'target.budget',
        { file: budgetAt(file, (flag.target ?? env.target ?? file.target?.url)?.root ?? '') },
        null,
      ),
    },
    ...phases,
    seed: take('seed', { flag: flag.seed, env: env.seed, file: own?.seed }, DEFAULTS.seed),
    nonce: take<string | null>('nonce', { flag: flag.nonce, env: env.nonce }, null),
    drain_ms: layers.section('', own)('drain', msOf(DEFAULTS.drain)),
    calls_per_vu: take(
      'calls_per_vu',
      { flag: lineCallsPerVu(line), file: own?.calls_per_vu },
      DEFAULTS.calls_per_vu,
    ),
    keep_text: top('keep_text', DEFAULTS.keep_text),
    timeouts: {
      connect_ms: timeouts('connect', msOf(DEFAULTS.timeouts.connect)),
      headers_ms: timeouts('headers', msOf(DEFAULTS.timeouts.headers)),
      first_token_ms: timeouts('first_token', msOf(DEFAULTS.timeouts.first_token)),
      idle_ms: timeouts('idle', msOf(DEFAULTS.timeouts.idle)),
      total_ms: timeouts('total', msOf(DEFAULTS.timeouts.total)),
      task_ms: timeouts('task', msOf(DEFAULTS.timeouts.task)),
    },
    ...resolveEngine(file, layers, { flag: flag.keepCredit, env: env.keepCredit }),
    rate_scale: rateScale,
    traffic,
    trace,
    default_traffic: isDefaultTraffic,
    replaced_traffic: line === null ? [] : replacedBy(line, own?.traffic ?? []),
    models: new Map(
      Object.entries(file.models ?? {}).map(([id, model]) => {
        const take = layers.section(`${formatPath(['models', id])}.`, model);
        return [
          id,
          {
            max_output: take('max_output', null),
            max_in_flight: take('max_in_flight', null),
            max_usd: take('max_usd', null),
          },
        ];
      }),
    ),
    objectives: resolveObjectives(
      { entries: top('objectives', []), flags: objectives },
      { path, traffic, trace },
      problems,
    ),
    tolerances: {
      min_checked: tolerances('min_checked', DEFAULTS.tolerances.min_checked),
      gate: tolerances('gate', DEFAULTS.tolerances.gate),
      gate_usd: tolerances('gate_usd', DEFAULTS.tolerances.gate_usd),
      gate_classes: tolerances('gate_classes', []),
    },
    accept: top('accept', []),
    claims: { minimum_usd: layers.section('claims.', file.claims)('minimum_usd', null) },
    billing: resolveBilling(top('billing', undefined), dirname(path)),
    settle: {
      wait_ms: settle('wait', msOf(DEFAULTS.settle.wait)),
      poll_ms: settle('poll', msOf(DEFAULTS.settle.poll)),
    },
    archive: { days: layers.section('archive.', file.archive)('days', DEFAULTS.archive.days) },
    spend: {
      max_usd: take<string | null>(
        'spend.max_usd',
        { flag: flag.maxSpendUsd, env: env.maxSpendUsd, file: file.spend?.max_usd },
        null,
      ),
      max_calls: take<number | null>(
        'spend.max_calls',
        { flag: guards.max_calls, file: file.spend?.max_calls },
        null,
      ),
      assume_usd_per_call: take<string | null>(
        'spend.assume_usd_per_call',
        { flag: guards.assume_usd_per_call, file: file.spend?.assume_usd_per_call },
        null,
      ),
    },
    metrics: resolveMetrics(file.metrics, layers, path),
    origins: layers.origins,
  };
}

/** Names in lower case, paths absolute; a flag goes over the file. */
function resolveHeaders(
  file: HeaderReferences | undefined,
  flags: HeaderReferences,
  layers: Layers,
  path: string,
): HeaderReferences {
  const own = Object.entries(file ?? {}).map(([name, value]) => [name, absoluteReference(value, path)]);
  const asked = Object.entries(flags).map(([name, value]) => [name, absoluteReference(value, resolve('_'))]);
  const all = lowerCased([...own, ...asked]);
  return layers.take('target.headers', { flag: asked.length > 0 ? all : undefined, file: file && all }, {});
}

/** The path of a tokenizer starts from the folder of the configuration. */
function tokenizerAt(text: string | null, folder: string): string | null {
  return text === null || text === 'server' || text === 'o200k' ? text : resolve(folder, text);
}

/** Names of the scenarios in whose place the line stands: it changes the only one of its kind, and replaces all others. */
function replacedBy(line: TrafficFile, [only, ...more]: readonly TrafficFile[]): readonly string[] {
  if (only === undefined || (more.length === 0 && only.kind === line.kind)) return [];
  return nameTraffic([only, ...more]).map(({ name }) => name);
}

/** Notes who gave the traffic, whose entries were read as those of the file. */
function markTraffic(layers: Layers, by: Origin): void {
  for (const [key, origin] of Object.entries(layers.origins)) {
    if (key.startsWith('traffic[') && origin === 'file') layers.origins[key] = by;
  }
}

/** `--config`, else WEIGHBRIDGE_CONFIG, else ./weighbridge.yaml, else the default plan. */
export function configPath(request: Omit<ConfigRequest, 'flags'>): string {
  const named = request.file ?? request.env['WEIGHBRIDGE_CONFIG'];
  const cwd = request.cwd ?? process.cwd();
  if (named !== undefined && named !== '') return resolve(cwd, named);
  const local = resolve(cwd, 'weighbridge.yaml');
  return existsSync(local) ? local : DEFAULT_PLAN_FILE;
}

/** Throws `config_missing` or `config_invalid` (exit 2). */
export function readConfigFile(path: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'config_missing',
      message: `The configuration ${path} does not exist or cannot be read.`,
      hint: 'Give the path of the file with --config. Leave the flag out for the default plan.',
      cause,
    });
  }
  return readYaml({ text, file: path }, configSchema);
}
