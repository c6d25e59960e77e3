import { plural } from '../../../text/plural.ts';
import type { TargetView } from '../../view/daemon-view.ts';
import { firstTokenWithin, runsOf, slotsOf } from '../../view/day-view.ts';
import { ago, durationText, NO_VALUE, shareText, usdText } from './page-text.ts';

interface Figure {
  readonly term: string;
  readonly value: string;
  readonly note: string;
  readonly tone?: 'good' | 'bad';
}

/** What a reader asks first of a target: is it up, is it fast, is its bill right, what did watching it cost. */
export function targetFigures(target: TargetView, now_ms: number): string {
  const figures = [availability(target), firstToken(target), bill(target, now_ms), spend(target)];
  return `<dl class="figures">
${figures
  .map(
    ({ term, value, note, tone }) =>
      `<div><dt>${term}</dt><dd${tone === undefined ? '' : ` class="${tone}"`}>${value}</dd><dd class="what">${note}</dd></div>`,
  )
  .join('\n')}
</dl>`;
}

function availability({ probes }: TargetView): Figure {
  const { good, failed } = runsOf(slotsOf(probes.map(({ day }) => day)));
  const term = 'Availability, 24 hours';
  if (good + failed === 0) return { term, value: NO_VALUE, note: 'no run yet' };
  return {
    term,
    value: shareText(good, good + failed),
    note: `${failed} of ${plural(good + failed, 'run')} failed`,
    ...(failed === 0 ? {} : { tone: 'bad' }),
  };
}

function firstToken({ probes }: TargetView): Figure {
  const days = probes.map(({ day }) => day);
  const [half, most] = [firstTokenWithin(days, 0.5), firstTokenWithin(days, 0.95)];
  const term = 'First token, 24 hours';
  if (half === null || most === null) {
    const note = probes.some(({ stream }) => stream) ? 'no stream yet' : 'no probe streams';
    return { term, value: NO_VALUE, note };
  }
  return { term, value: durationText(half), note: `median; 95 % within ${durationText(most)}` };
}

function bill({ audit }: TargetView, now_ms: number): Figure {
  const term = 'Bill of own calls';
  if (audit === null)
    return { term, value: 'not checked yet', note: 'no paid call was compared with its record' };
  const note = `${plural(audit.calls, 'call')}, checked ${ago(now_ms - audit.at_ms)}`;
  if (audit.findings > 0)
    return { term, value: `<a href="findings">${plural(audit.findings, 'finding')}</a>`, note, tone: 'bad' };
  if (audit.verdict === 'inconclusive')
    return { term, value: 'cannot be told', note: `too little could be checked of ${note}` };
  return { term, value: 'no findings', note, tone: 'good' };
}

function spend({ budget }: TargetView): Figure {
  const term = 'Spent by probes today';
  if (budget === null) return { term, value: NO_VALUE, note: 'no paid probe runs' };
  const { spent, limit } = budget.day;
  return {
    term,
    value: spent === null ? NO_VALUE : usdText(spent),
    note: limit === null ? 'no cap' : `of ${usdText(limit)}`,
  };
}
