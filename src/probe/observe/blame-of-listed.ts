import type { Probe } from '../../contracts/probe-plan.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import type { TargetWatch } from '../watch/target-watch.ts';

/**
 * A model that the key may not call is no fault of the gateway, and the list of the key leaves it out (interface §5 rule 5). One that
 * is on that list and not found when it is called is.
 */
export function blameOfListed(
  run: ProbeRun,
  { model }: Pick<Probe, 'model'>,
  watch: Pick<TargetWatch, 'lists'> | null,
): ProbeRun {
  const contradicts = run.error_type === 'model_not_found' && model !== null && watch?.lists(model) === true;
  return contradicts ? { ...run, blame: 'gateway' } : run;
}
