import { TITLE_OF } from '../../../contracts/fault-class.ts';
import { parseAmount } from '../../../core/amount.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import type { BillView, FindingGroupView } from '../../view/bill-view.ts';
import type { DaemonView } from '../../view/daemon-view.ts';
import { ago, timeTag, usdText } from './page-text.ts';

const MOST_SHOWN = 3;

/** What is wrong with the bills, above all else; nothing where no bill has a finding. */
export function billSection({ targets, now_ms }: DaemonView): string {
  const wrong = targets.flatMap(({ name, audit }) =>
    audit === null || audit.findings === 0 ? [] : [billOf(name, audit, now_ms)],
  );
  if (wrong.length === 0) return '';
  return `<section class="bill" aria-labelledby="bill">
<h2 id="bill">Findings in the bill</h2>
${wrong.join('\n')}
<p><a href="findings">See all findings and what to do</a></p>
</section>`;
}

function billOf(name: string, audit: BillView, now_ms: number): string {
  const { groups } = audit;
  const items = groups
    .slice(0, MOST_SHOWN)
    .map((group) => `<li>${escapeHtml(TITLE_OF[group.class])}: ${groupWords(group)}</li>`);
  const more = groups.length - MOST_SHOWN;
  if (more > 0) items.push(`<li>${plural(more, 'other kind')} of findings</li>`);
  return `<p><strong>${escapeHtml(name)}</strong>: ${auditedCallsWords(audit, now_ms)}</p>
<ul>${items.join('')}</ul>`;
}

/** `2 findings in 812 calls, checked 10 min ago`. */
export function auditedCallsWords({ calls, findings, at_ms }: BillView, now_ms: number): string {
  return `${plural(findings, 'finding')} in ${plural(calls, 'call')}, checked ${timeTag(at_ms, ago(now_ms - at_ms))}`;
}

function groupWords({ findings, ...group }: FindingGroupView): string {
  return `${plural(findings, 'finding')}, ${differenceWords(group)}`;
}

/** Charged minus due, in words: a sign alone is read either way. */
export function differenceWords({
  delta_usd,
  partly,
}: Pick<FindingGroupView, 'delta_usd' | 'partly'>): string {
  const amount = parseAmount(delta_usd);
  if (amount === null) return 'no exact amount';
  const least = partly ? ' and more without an exact amount' : '';
  if (amount === 0n) return `no difference in amount${least}`;
  return amount > 0n ? `${usdText(amount)} too much${least}` : `${usdText(-amount)} too little${least}`;
}
