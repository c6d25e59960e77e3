import type { ScenarioPlan, WatermarkShape } from '../contracts/plan.ts';

/**
 * Scenarios of one model share its counter, so that calls near in time differ whichever of them they belong to. The
 * largest modulus that one of them asks for holds for all.
 */
export function shareWatermarks(scenarios: readonly ScenarioPlan[]): ScenarioPlan[] {
  const sharing = new Map<string, ScenarioPlan[]>();
  for (const scenario of scenarios) {
    if ((scenario.text?.watermark ?? null) === null) continue;
    sharing.set(scenario.model, [...(sharing.get(scenario.model) ?? []), scenario]);
  }
  return scenarios.map((scenario) => {
    const group = sharing.get(scenario.model) ?? [];
    const first = group.indexOf(scenario);
    if (scenario.text === null || first < 0) return scenario;
    const modulus = Math.max(...group.map(({ text }) => text?.watermark?.modulus ?? 0));
    const watermark: WatermarkShape = { modulus, of: group.length, first };
    return { ...scenario, text: { ...scenario.text, watermark } };
  });
}
