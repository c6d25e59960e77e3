import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import { isPaidKind } from '../../core/call-kind.ts';

const MOST_NAMED = 12;

/** What a daemon watches, one line a target. */
export function watchedTargets(plan: ProbePlan): string[] {
  return plan.targets.map(targetLine);
}

/** The same with the names of the probes, as pages, metrics and the log call them. */
export function watchedProbes(plan: ProbePlan): string[] {
  return plan.targets.flatMap((target) => {
    const paid = target.probes.filter(({ api }) => isPaidKind(api));
    const free = target.probes.filter(({ api }) => !isPaidKind(api));
    return [targetLine(target), ...namesLine('free', free), ...namesLine('paid', paid)];
  });
}

function targetLine({ name, bases, probes }: ProbeTarget): string {
  const paid = probes.filter(({ api }) => isPaidKind(api)).length;
  return `target ${name} (${bases.root}): ${probes.length} probes, ${paid} of them paid`;
}

function namesLine(sort: string, probes: ProbeTarget['probes']): string[] {
  if (probes.length === 0) return [];
  const rest = probes.length - MOST_NAMED;
  const names = probes.slice(0, MOST_NAMED).map(({ name }) => name);
  return [`  ${sort}: ${names.join(', ')}${rest > 0 ? ` and ${rest} more, all on the status page` : ''}`];
}
