import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { FORECAST_NOTES, probeForecastLines } from '../../probe/forecast/forecast-lines.ts';
import { forecastProbes, type TargetForecast } from '../../probe/forecast/forecast-probes.ts';
import { credentialsOf } from './probe-credentials.ts';
import { probeOffer } from './probe-gateway.ts';

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
  const unlisted = [...models].filter((model) => !offer.models.includes(model));
  return {
    ...forecastProbes(target, offer.book),
    notes: [
      ...offer.bookProblems.map((problem) => `the price book cannot be read: ${problem}`),
      ...unlisted.map((model) => `${model} is not in the model list of the key`),
    ],
  };
}
