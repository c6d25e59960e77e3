import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Plan, PriceBound, ScenarioPlan } from '../../contracts/plan.ts';

/** How the text formats say that an output was cut at its limit. */
const CUT_AT_LIMIT: readonly (string | null)[] = ['length', 'max_tokens'];

export interface TrialLimit {
  readonly scenario: ScenarioPlan;
  /** True where the call ended at the limit it was sent, with no more output than that, reasoning included. */
  readonly obeyed: boolean;
  readonly what: string;
}

/** What the trial call of each text scenario shows of the output limit it was sent. */
export function judgeLimits(plan: Plan, trialRows: readonly CallRow[]): readonly TrialLimit[] {
  return plan.workload.scenarios
    .filter((scenario) => scenario.text !== null)
    .map((scenario) => {
      const row = trialRows.findLast(
        (each) => each.scenario === scenario.name && each.kind === scenario.kind,
      );
      const shown = row === undefined ? 'no call was made' : whyNotShown(row);
      return {
        scenario,
        obeyed: shown === null,
        what: shown ?? `it cut the call at ${row?.max_tokens} tokens`,
      };
    });
}

function whyNotShown({ outcome, max_tokens, usage, finish }: CallRow): string | null {
  if (outcome !== 'ok') return `the call ended ${outcome}`;
  if (max_tokens === null) return 'none was sent';
  const output = usage?.output ?? null;
  if (output === null) return 'the answer tells no output tokens';
  // Reasoning is part of the output; where a target counts it apart, the limit did not bind both.
  const reasoning = usage?.reasoning ?? 0;
  const all = reasoning > output ? output + reasoning : output;
  if (all > max_tokens) return `${all} tokens were written though ${max_tokens} were the limit`;
  return CUT_AT_LIMIT.includes(finish) ? null : `the answer ended by itself after ${all} tokens`;
}

/** The bounds, each with what the trial of all scenarios that share it showed. */
export function withLimits(
  bounds: readonly PriceBound[],
  limits: readonly TrialLimit[],
): readonly PriceBound[] {
  return bounds.map((bound) => {
    const sharing = limits.filter(
      ({ scenario }) => scenario.model === bound.model && scenario.kind === bound.kind,
    );
    return { ...bound, limit_obeyed: sharing.length > 0 && sharing.every(({ obeyed }) => obeyed) };
  });
}
