import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import { budgetAt } from './budget-at.ts';
import type { Budget } from './budget-schema.ts';
import { type ConfigFile, configSchema } from './config-schema.ts';
import { DEFAULTS } from './defaults.ts';
import { parseDuration } from './duration.ts';
import { Layers } from './layers.ts';
import { configInvalid, formatPath, type Problem } from './problem.ts';
import { readYaml } from './read-yaml.ts';
import { resolveBilling } from './resolve-billing.ts';
import { resolveEngine, resolveMetrics, resolveObjectives, resolveTrace } from './resolve-engine.ts';
import { resolvePhases } from './resolve-phases.ts';
import { resolveTraffic } from './resolve-traffic.ts';
import type { ResolvedConfig } from './resolved-config.ts';
import { type ConfigFlags, flagName, readSettings, SETTING_ENV, type Settings } from './settings.ts';

export interface ConfigRequest {
  /** `--config`. Without it WEIGHBRIDGE_CONFIG, else ./weighbridge.yaml, else the default plan. */
  readonly file?: string | undefined;
  /** Directory that relative paths start from. Default: the process's. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: ConfigFlags;
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
  const config = resolveConfig({ path, file, isDefault: isDefaultPlan(path), flag, env, problems });
  if (problems.length > 0) throw configInvalid(problems);
  return config;
}

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
  readonly isDefault: boolean;
  readonly flag: Settings;
  readonly env: Settings;
  readonly problems: Problem[];
}

function resolveConfig({ path, file, isDefault, flag, env, problems }: ConfigInputs): ResolvedConfig {
  const layers = new Layers();
  const take = layers.take.bind(layers);
  const time = (key: string, ms: number | undefined, fallback: string): number =>
    layers.take(key, { file: isDefault ? undefined : ms }, parseDuration(fallback) ?? 0);
  const ownTraffic = isDefault ? undefined : file.traffic;
  const rateScale = take(
    'rate_scale',
    { flag: flag.rateScale, env: env.rateScale, file: file.rate_scale },
    '1',
  );
  const trace = resolveTrace(file.trace, layers, dirname(path));
  const isDefaultTraffic = ownTraffic === undefined && trace === null;
  const traffic = resolveTraffic(
    trace === null ? (ownTraffic ?? readConfigFile(DEFAULT_PLAN_FILE).traffic ?? []) : [],
    rateScale,
    layers,
    problems,
    dirname(path),
  );
  if (isDefaultTraffic) markDefault(layers);
  layers.take('traffic', { file: ownTraffic }, undefined);
  const phases = resolvePhases({
    path,
    file,
    duration: { flag: flag.duration, env: env.duration, file: isDefault ? undefined : file.duration },
    layers,
    problems,
  });
  return {
    file: path,
    target: {
      bases: take('target.url', { flag: flag.target, env: env.target, file: file.target?.url }, null),
      name: take<string | null>('target.name', { file: file.target?.name }, null),
      key: take('target.key', { file: file.target?.key }, DEFAULTS.key),
      permission: take<ResolvedConfig['target']['permission']>(
        'target.permission',
        { file: file.target?.permission },
        null,
      ),
      budget: take<Budget | null>(
        'target.budget',
        { file: budgetAt(file, (flag.target ?? env.target ?? file.target?.url)?.root ?? '') },
        null,
      ),
    },
    ...phases,
    seed: take(
      'seed',
      { flag: flag.seed, env: env.seed, file: isDefault ? undefined : file.seed },
      DEFAULTS.seed,
    ),
    nonce: take<string | null>('nonce', { flag: flag.nonce, env: env.nonce }, null),
    drain_ms: time('drain', file.drain, DEFAULTS.drain),
    calls_per_vu: take('calls_per_vu', { file: file.calls_per_vu }, DEFAULTS.calls_per_vu),
    keep_text: take<boolean>('keep_text', { file: file.keep_text }, DEFAULTS.keep_text),
    timeouts: {
      connect_ms: time('timeouts.connect', file.timeouts?.connect, DEFAULTS.timeouts.connect),
      headers_ms: time('timeouts.headers', file.timeouts?.headers, DEFAULTS.timeouts.headers),
      first_token_ms: time('timeouts.first_token', file.timeouts?.first_token, DEFAULTS.timeouts.first_token),
      idle_ms: time('timeouts.idle', file.timeouts?.idle, DEFAULTS.timeouts.idle),
      total_ms: time('timeouts.total', file.timeouts?.total, DEFAULTS.timeouts.total),
      task_ms: time('timeouts.task', file.timeouts?.task, DEFAULTS.timeouts.task),
    },
    ...resolveEngine(file, layers, { flag: flag.keepCredit, env: env.keepCredit }),
    rate_scale: rateScale,
    traffic,
    trace,
    default_traffic: isDefaultTraffic,
    models: new Map(
      Object.entries(file.models ?? {}).map(([id, model]) => {
        const key = (name: keyof typeof model): string => formatPath(['models', id, name]);
        return [
          id,
          {
            max_output: take<number | null>(key('max_output'), { file: model.max_output }, null),
            max_in_flight: take<number | null>(key('max_in_flight'), { file: model.max_in_flight }, null),
            max_usd: take<string | null>(key('max_usd'), { file: model.max_usd }, null),
          },
        ];
      }),
    ),
    objectives: resolveObjectives(
      take('objectives', { file: file.objectives }, []),
      // What a trace holds is known only when it is read.
      trace === null ? traffic : null,
      path,
      problems,
    ),
    tolerances: {
      min_checked: take(
        'tolerances.min_checked',
        { file: file.tolerances?.min_checked },
        DEFAULTS.tolerances.min_checked,
      ),
      gate: take('tolerances.gate', { file: file.tolerances?.gate }, DEFAULTS.tolerances.gate),
      gate_usd: take<string>(
        'tolerances.gate_usd',
        { file: file.tolerances?.gate_usd },
        DEFAULTS.tolerances.gate_usd,
      ),
      gate_classes: take<ResolvedConfig['tolerances']['gate_classes']>(
        'tolerances.gate_classes',
        { file: file.tolerances?.gate_classes },
        [],
      ),
    },
    billing: resolveBilling(take('billing', { file: file.billing }, undefined), dirname(path)),
    settle: {
      wait_ms: time('settle.wait', file.settle?.wait, DEFAULTS.settle.wait),
      poll_ms: time('settle.poll', file.settle?.poll, DEFAULTS.settle.poll),
    },
    archive: { days: take<number>('archive.days', { file: file.archive?.days }, DEFAULTS.archive.days) },
    spend: {
      max_usd: take<string | null>(
        'spend.max_usd',
        { flag: flag.maxSpendUsd, env: env.maxSpendUsd, file: file.spend?.max_usd },
        null,
      ),
    },
    metrics: resolveMetrics(file.metrics, layers, path),
    origins: layers.origins,
  };
}

function markDefault(layers: Layers): void {
  for (const key of Object.keys(layers.origins)) {
    if (key.startsWith('traffic[')) layers.origins[key] = 'default';
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
      message: `expected a configuration at ${path}, found none that can be read`,
      hint: 'Give the file with --config, or leave it out to run the default plan.',
      exitCode: EXIT.usage,
      cause,
    });
  }
  return readYaml({ text, file: path }, configSchema);
}
