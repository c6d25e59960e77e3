import { andList } from '../../../text/and-list.ts';
import { plural } from '../../../text/plural.ts';
import type { DaemonView, TargetView } from '../../view/daemon-view.ts';
import { brokenSince } from './broken-target.ts';
import { durationText } from './page-text.ts';
import { type ProbeCondition, probeCondition } from './probe-condition.ts';

export interface Headline {
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
  readonly text: string;
}

const MOST_NAMED = 3;

/** The state of everything in a sentence or two: first the bill, then what fails, then what is not known. */
export function statusHeadline(view: DaemonView): Headline {
  const { state, not_ready, targets, now_ms } = view;
  if (state === 'draining')
    return { tone: 'warning', text: because('The daemon is stopping and starts no more runs', not_ready) };
  if (state === 'starting' || not_ready !== null)
    return { tone: 'warning', text: because('The daemon is not ready yet', not_ready) };
  const all = targets.flatMap((target) => judgedProbes(target, now_ms));
  if (all.length === 0) return { tone: 'warning', text: 'No probe is configured, so nothing is monitored' };
  const bad = [
    ...targets.flatMap(billSentence),
    ...targets.flatMap((target) => brokenSentence(target, now_ms)),
    ...failureSentence(all),
    ...waitSentence(all),
  ];
  return bad.length > 0 ? { tone: 'bad', text: bad.join('. ') } : calmHeadline(all, targets);
}

interface Judged {
  readonly name: string;
  readonly condition: ProbeCondition;
  /** Told as its target's failure. */
  readonly ofBroken: boolean;
}

function judgedProbes(target: TargetView, now_ms: number): readonly Judged[] {
  const ofBroken = brokenSince(target, now_ms) !== undefined;
  return target.probes.map((probe) => ({
    name: `${probe.name} of ${target.name}`,
    condition: probeCondition(probe, now_ms),
    ofBroken,
  }));
}

function billSentence({ name, audit }: TargetView): readonly string[] {
  if (audit === null || audit.findings === 0) return [];
  return [`The bill of ${name} has ${plural(audit.findings, 'finding')}`];
}

function brokenSentence(target: TargetView, now_ms: number): readonly string[] {
  const since = brokenSince(target, now_ms);
  if (since === undefined) return [];
  const how = since === null ? 'since the daemon started' : `for ${durationText(now_ms - since)}`;
  return [`No request to ${target.name} has succeeded ${how}`];
}

function failureSentence(all: readonly Judged[]): readonly string[] {
  const failing = all.filter(({ condition, ofBroken }) => condition === 'fails' && !ofBroken);
  if (failing.length === 0) return [];
  const verb = failing.length === 1 ? 'fails' : 'fail';
  return [`${failing.length} of ${plural(all.length, 'probe')} ${verb}: ${named(failing)}`];
}

function waitSentence(all: readonly Judged[]): readonly string[] {
  const silent = all.filter(({ condition, ofBroken }) => condition === 'silent' && !ofBroken);
  if (silent.length === 0) return [];
  const verb = silent.length === 1 ? 'waits' : 'wait';
  return [`${silent.length} of ${plural(all.length, 'probe')} ${verb} for an answer: ${named(silent)}`];
}

/** A probe that has not run yet is no warning: one of every six hours would leave the page amber until then. */
function calmHeadline(all: readonly Judged[], targets: readonly TargetView[]): Headline {
  const count = (condition: ProbeCondition) => all.filter((each) => each.condition === condition).length;
  const [works, fresh, paused, overdue] = [count('works'), count('new'), count('paused'), count('overdue')];
  if (fresh === all.length)
    return { tone: 'neutral', text: 'No probe has run yet. Free reads start within 30 seconds' };
  const tone = paused + overdue > 0 ? 'warning' : 'good';
  const where = targets.length === 1 ? (targets[0]?.name ?? '') : plural(targets.length, 'target');
  if (works === all.length)
    return {
      tone,
      text: works === 1 ? `The probe of ${where} works` : `All ${works} probes of ${where} work`,
    };
  const rest = [
    ...(paused === 0 ? [] : [`${paused} ${paused === 1 ? 'is' : 'are'} paused`]),
    ...(overdue === 0 ? [] : [`${overdue} ${overdue === 1 ? 'is' : 'are'} overdue`]),
    ...(fresh === 0 ? [] : [`${fresh} ${fresh === 1 ? 'has' : 'have'} not run yet`]),
  ];
  const verb = works === 1 ? 'works' : 'work';
  return { tone, text: `${works} of ${plural(all.length, 'probe')} ${verb}; ${andList(rest)}` };
}

function named(judged: readonly Judged[]): string {
  const rest = judged.length - MOST_NAMED;
  const names = judged
    .slice(0, MOST_NAMED)
    .map(({ name }) => name)
    .join(', ');
  return rest > 0 ? `${names} and ${rest} more` : names;
}

function because(words: string, reason: string | null): string {
  return reason === null ? words : `${words}: ${reason}`;
}
