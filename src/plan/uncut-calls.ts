import type { ScenarioPlan } from '../contracts/plan.ts';

/** Whether a cut waits for events alone, which a plain call does not have, in a scenario that has plain calls. */
export function cutsStreamsOnly({ abort, text, arrival }: ScenarioPlan): boolean {
  if (abort === null || abort.after_ms !== null) return false;
  return (text?.stream_share ?? 0) < 1 || arrival.trace !== null;
}

/** A note for each scenario whose plain calls are not cut, though a share of its calls is to be. */
export function uncutCalls(scenarios: readonly ScenarioPlan[]): string[] {
  return scenarios
    .filter(cutsStreamsOnly)
    .map(
      ({ name }) =>
        `${name}: abort.after_events cuts streams only: a plain call has no events, and needs abort.after`,
    );
}
