import { BUDGET_PERIODS } from '../../../core/budget-period.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import type { SpentView, TargetView } from '../../view/daemon-view.ts';
import { pageTable } from './page-table.ts';
import { ago, grouped, NO_VALUE, timeTag, usdText } from './page-text.ts';
import { PROBE_COLUMNS, probeRow } from './probe-row.ts';

/** One target: its probes, its money, its open tasks. `place` makes ids of the page, since names may hold anything. */
export function targetSection(target: TargetView, place: number, now_ms: number): string {
  const probes =
    target.probes.length === 0
      ? '<p>No probe is configured for this target.</p>'
      : pageTable(
          `Probes of ${target.name}`,
          PROBE_COLUMNS,
          target.probes.map((probe) => probeRow(probe, target.budget, now_ms)),
        );
  return `<section aria-labelledby="target-${place}">
<h2 id="target-${place}">${escapeHtml(target.name)}</h2>
<p class="root">${escapeHtml(target.root)}</p>
${probes}
<dl class="facts">
${facts(target, now_ms)
  .map(([term, words]) => `<dt>${term}</dt><dd>${words}</dd>`)
  .join('\n')}
</dl>
${openTasks(target, now_ms)}
</section>`;
}

const SPEND = { hour: 'Spend this hour', day: 'Spend today (UTC)', month: 'Spend this month (UTC)' } as const;

function facts(
  { budget, credit_units, audit }: TargetView,
  now_ms: number,
): readonly (readonly [string, string])[] {
  return [
    ...(budget === null
      ? [['Spend', 'no paid probe is allowed'] as const]
      : BUDGET_PERIODS.map((period) => [SPEND[period], spent(budget[period], SPEND[period])] as const)),
    // Never as USD: a site says itself what a unit is worth, and may change it.
    ['Credit', credit_units === null ? NO_VALUE : `${grouped(credit_units)} site units`],
    ['Audit of own calls', audit === null ? 'not held against records yet' : auditWords(audit, now_ms)],
  ];
}

function auditWords(
  { at_ms, calls, findings, verdict }: NonNullable<TargetView['audit']>,
  now_ms: number,
): string {
  const tone = findings === 0 ? 'good' : 'bad';
  const counts = `${plural(calls, 'call')}, ${plural(findings, 'finding')}`;
  return `<span class="${tone}">${escapeHtml(verdict)}</span> (${counts}, ${timeTag(at_ms, ago(now_ms - at_ms))})`;
}

function spent({ spent: amount, limit }: SpentView, label: string): string {
  if (limit === null) return amount === null ? NO_VALUE : `${usdText(amount)}, no cap`;
  if (amount === null)
    return `${NO_VALUE} of ${usdText(limit)} <strong class="bad">not known: paid probes are held</strong>`;
  const full = amount >= limit ? ' <strong class="bad">at the cap: paid probes are held</strong>' : '';
  // A bar only; the amounts stand beside it.
  const share = limit === 0n ? 1 : Math.min(1, Number((amount * 1000n) / limit) / 1000);
  return `${usdText(amount)} of ${usdText(limit)} <meter aria-label="${label}" min="0" max="1" high="0.8" optimum="0" value="${share}"></meter>${full}`;
}

const TASK_COLUMNS = [
  { title: 'Task' },
  { title: 'Probe' },
  { title: 'Api' },
  { title: 'Status' },
  { title: 'Created' },
];

function openTasks({ name, tasks_open }: TargetView, now_ms: number): string {
  if (tasks_open.length === 0) return '<p class="none">No open task.</p>';
  const rows = tasks_open.map(({ id, probe, api, status, created_ms }) => ({
    cells: [
      `<code>${escapeHtml(id)}</code>`,
      escapeHtml(probe),
      escapeHtml(api),
      escapeHtml(status),
      timeTag(created_ms, ago(now_ms - created_ms)),
    ],
  }));
  return pageTable(`Open tasks of ${name}`, TASK_COLUMNS, rows);
}
