import type { ResolvedConfig, ResolvedTraffic } from '../config/resolved-config.ts';
import type { RunLimits, ScenarioPlan, SpendCap } from '../contracts/plan.ts';

/** The parts of the spend cap that scenarios, and the models that they call, may take. */
export function partialCaps(
  { models }: ResolvedConfig,
  traffic: readonly ResolvedTraffic[],
  scenarios: readonly ScenarioPlan[],
): Pick<SpendCap, 'by_scenario' | 'by_model'> {
  const given = (entries: (readonly [string, string | null])[]): Record<string, string> =>
    Object.fromEntries(entries.flatMap(([key, usd]) => (usd === null ? [] : [[key, usd]])));
  const capOf = (scenario: string): string | null =>
    traffic.find(({ name }) => name === scenario)?.max_usd ?? null;
  return {
    by_scenario: given(scenarios.map(({ name }) => [name, capOf(name)])),
    by_model: given(scenarios.map(({ model }) => [model, models.get(model)?.max_usd ?? null])),
  };
}

/** When the run stops by itself, and how much is under way at once; of the models, those that are called. */
export function limitsOf({ limits, models }: ResolvedConfig, scenarios: readonly ScenarioPlan[]): RunLimits {
  const byModel = scenarios.flatMap(({ model }): [string, number][] => {
    const most = models.get(model)?.max_in_flight ?? null;
    return most === null ? [] : [[model, most]];
  });
  return { ...limits, max_in_flight_by_model: Object.fromEntries(byModel) };
}
