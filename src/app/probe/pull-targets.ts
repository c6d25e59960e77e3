import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/load-config.ts';
import { loadProbePlan } from '../../config/load-probe.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { newRunId } from '../../plan/run-id.ts';
import { pruneArchive } from '../../pricebook/archive/prune-archive.ts';
import { readMapping } from '../../pricebook/read/mapping-file.ts';
import { FORECAST_NOTES, probeForecastLines } from '../../probe/forecast/forecast-lines.ts';
import { forecastProbes, type TargetForecast } from '../../probe/forecast/forecast-probes.ts';
import { openTargetFolder } from '../../state/target-folder.ts';
import { plural } from '../../text/plural.ts';
import type { Notices } from '../notices/notices.ts';
import { type PulledDocument, pullTarget } from '../target/pull-target.ts';
import { clientOf } from '../target/weighed-target.ts';
import { credentialsOf, requireCredentials } from './probe-credentials.ts';
import { probeOffer } from './probe-gateway.ts';

/** What is pulled: the targets of a configuration, or one address. */
export interface PullOptions {
  readonly config?: string;
  readonly target?: string;
  readonly state?: string;
}

export interface PulledTarget {
  readonly target: string;
  readonly archive: string;
  readonly documents: readonly PulledDocument[];
}

/**
 * Archives the free documents of each target as served. Ctrl-C ends the reads: `interrupted` tells it. Throws
 * `target_missing` and `credential_missing` (exit 2).
 */
export async function pullTargets(
  request: PullOptions,
  notices: Notices,
): Promise<{ readonly pulled: readonly PulledTarget[]; readonly interrupted: boolean }> {
  const { env } = notices;
  const config = loadConfig({ file: request.config, env, flags: {} });
  const plan = loadProbePlan({
    file: request.config,
    env,
    flags: { target: request.target, state: request.state },
    embedded: null,
    budget: 'optional',
  });
  if (plan.targets.length === 0) throw noTarget();
  requireCredentials(plan, env);
  const interrupts = notices.interrupts();
  const reads = new AbortController();
  interrupts.onSignal(() => reads.abort());
  const pulled: PulledTarget[] = [];
  try {
    for (const target of plan.targets) {
      if (reads.signal.aborted) break;
      pulled.push(await pullOne(target, plan, config, reads.signal, notices));
    }
  } finally {
    interrupts.release();
  }
  return { pulled, interrupted: reads.signal.aborted };
}

async function pullOne(
  target: ProbeTarget,
  { state_dir }: ProbePlan,
  { http, billing, archive: { days } }: ReturnType<typeof loadConfig>,
  signal: AbortSignal,
  { env, err: say }: Notices,
) {
  const credentials = credentialsOf(target, env);
  const client = clientOf(target.bases, credentials, signal, newRunId(Date.now()), http);
  const { name, folder, bases } = target;
  const archive = join(openTargetFolder(state_dir, { name, folder, root: bases.root }, say), 'archive');
  const { adapter, mapping } = billing.book;
  try {
    const documents = await pullTarget({
      client,
      archive_dir: archive,
      credentials: {
        key_fp: credentials.keyFp,
        account: credentials.accessToken !== null && credentials.userId !== null,
      },
      reader: {
        adapter,
        mapping: mapping === null ? null : readMapping(readFileSync(mapping, 'utf8'), mapping),
      },
      now_ms: Date.now,
    });
    const pruned = pruneArchive(archive, days, Date.now());
    if (pruned > 0) say(`${plural(pruned, 'document')} older than ${plural(days, 'day')} left ${archive}`);
    return { target: target.name, archive, documents };
  } finally {
    await client.close();
  }
}

function noTarget(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'target_missing',
    message: 'There is no gateway to read. Neither --target nor the configuration names one.',
    hint: 'Give --target URL, or set target.url or probe.targets in the configuration.',
  });
}

type Env = Readonly<Record<string, string | undefined>>;

/** What the probes of a target cost, and what keeps that from being known. */
export type NotedForecast = TargetForecast & { readonly notes: readonly string[] };

/** What the plan costs. The price book and model list of each target with paid probes are read for it. */
export async function forecastPlan(
  plan: ProbePlan,
  config: ResolvedConfig,
  env: Env,
): Promise<readonly NotedForecast[]> {
  const all: NotedForecast[] = [];
  for (const target of plan.targets) all.push(await forecastTarget(target, config, env));
  return all;
}

/** The forecast for a reader. */
export function forecastWords(targets: readonly NotedForecast[]): readonly string[] {
  const isPaid = targets.some(({ probes }) => probes.some(({ paid }) => paid));
  return [
    ...targets.flatMap((each) => [
      ...probeForecastLines(each),
      ...each.notes.map((note) => `  note: ${note}`),
    ]),
    ...(isPaid ? FORECAST_NOTES : []),
  ];
}

async function forecastTarget(target: ProbeTarget, config: ResolvedConfig, env: Env): Promise<NotedForecast> {
  const models = new Set(
    target.probes.flatMap(({ api, model }) => (isPaidKind(api) && model !== null ? [model] : [])),
  );
  if (models.size === 0) return { ...forecastProbes(target, null), notes: [] };
  const offer = await probeOffer(target.bases, credentialsOf(target, env), config);
  const unlisted = [...models].filter((model) => offer.models?.includes(model) === false);
  return {
    ...forecastProbes(target, offer.book),
    notes: [
      ...offer.bookProblems.map((problem) => `the price book cannot be read: ${problem}`),
      ...unlisted.map((model) => `${model} is not in the model list of the key`),
    ],
  };
}
