import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { FORECAST_NOTES, probeForecastLines } from '../../probe/forecast/forecast-lines.ts';
import { forecastProbes, type TargetForecast } from '../../probe/forecast/forecast-probes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { credentialsOf } from './probe-credentials.ts';
import { probeOffer } from './probe-gateway.ts';

interface Forecasting {
  readonly config: ResolvedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly json: boolean;
}

/** Prints what the plan costs. The price book and model list of each target with paid probes are read for it. */
export async function forecastPlan(
  plan: ProbePlan,
  { config, env, terminal, json }: Forecasting,
): Promise<number> {
  const all: (TargetForecast & { notes: readonly string[] })[] = [];
  for (const target of plan.targets) all.push(await forecastTarget(target, config, env));
  if (json) {
    terminal.out(JSON.stringify({ targets: all }));
  } else {
    for (const each of all) {
      for (const line of probeForecastLines(each)) terminal.out(line);
      for (const note of each.notes) terminal.out(`  note: ${note}`);
    }
    if (all.some(({ probes }) => probes.some(({ paid }) => paid)))
      for (const note of FORECAST_NOTES) terminal.out(note);
  }
  // Without a price the question that was asked has no answer.
  const open = all.some(({ probes }) => probes.some(({ unpriced }) => unpriced));
  return open ? EXIT.inconclusive : EXIT.ok;
}

async function forecastTarget(target: ProbeTarget, config: ResolvedConfig, env: Forecasting['env']) {
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
