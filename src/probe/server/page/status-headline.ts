import { plural } from '../../../text/plural.ts';
import type { DaemonView, TargetView } from '../../view/daemon-view.ts';
import { type ProbeCondition, probeCondition } from './probe-condition.ts';

export interface Headline {
  readonly tone: 'good' | 'warning' | 'bad';
  readonly text: string;
}

const MOST_NAMED = 3;

/** The state of everything in one sentence, the worst first: what is not known is never called well. */
export function statusHeadline(view: DaemonView): Headline {
  const { state, not_ready, targets } = view;
  if (state === 'draining')
    return { tone: 'warning', text: because('Draining: no further run is started', not_ready) };
  if (state === 'starting' || not_ready !== null)
    return { tone: 'warning', text: because('Not ready', not_ready) };
  const all = targets.flatMap((target) => conditions(target, view.now_ms));
  if (all.length === 0) return { tone: 'warning', text: 'No probe is configured: nothing is watched' };
  const of = (condition: ProbeCondition) => all.filter((each) => each.condition === condition);
  const failing = of('fails');
  if (failing.length > 0) {
    const verb = failing.length === 1 ? 'fails' : 'fail';
    return {
      tone: 'bad',
      text: `${failing.length} of ${plural(all.length, 'probe')} ${verb}: ${named(failing)}`,
    };
  }
  const parts = [part(of('late'), 'late'), part(of('held'), 'held'), part(of('waits'), 'yet to run')].flatMap(
    (text) => text ?? [],
  );
  if (parts.length > 0) {
    const well =
      of('well').length === 0
        ? ''
        : `; ${of('well').length === 1 ? 'the other one is' : 'the others are'} well`;
    return { tone: 'warning', text: `Of ${plural(all.length, 'probe')} ${parts.join(', ')}${well}` };
  }
  const where = targets.length === 1 ? (targets[0]?.name ?? '') : plural(targets.length, 'target');
  return {
    tone: 'good',
    text:
      all.length === 1
        ? `The one probe of ${where} is well`
        : `All ${all.length} probes of ${where} are well`,
  };
}

interface Judged {
  readonly name: string;
  readonly condition: ProbeCondition;
}

function conditions(target: TargetView, now_ms: number): readonly Judged[] {
  return target.probes.map((probe) => ({
    name: `${probe.name} of ${target.name}`,
    condition: probeCondition(probe, now_ms),
  }));
}

function named(judged: readonly Judged[]): string {
  const rest = judged.length - MOST_NAMED;
  const names = judged
    .slice(0, MOST_NAMED)
    .map(({ name }) => name)
    .join(', ');
  return rest > 0 ? `${names} and ${rest} more` : names;
}

function part(judged: readonly Judged[], word: string): string | null {
  return judged.length === 0 ? null : `${judged.length} ${judged.length === 1 ? 'is' : 'are'} ${word}`;
}

function because(words: string, reason: string | null): string {
  return reason === null ? words : `${words} (${reason})`;
}
