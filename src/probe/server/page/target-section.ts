import { BUDGET_PERIODS } from '../../../core/budget-period.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import type { SpentView, TargetView } from '../../view/daemon-view.ts';
import { slotsOf } from '../../view/day-view.ts';
import { dayStrip } from './day-strip.ts';
import { pageTable } from './page-table.ts';
import { ago, grouped, NO_VALUE, timeTag, usdText } from './page-text.ts';
import { PROBE_COLUMNS, probeRow } from './probe-row.ts';
import { targetFigures } from './target-figures.ts';

/** One target: its figures, its probes, its money, its open tasks. `place` makes ids of the page, since names may hold anything. */
export function targetSection(target: TargetView, place: number, now_ms: number): string {
  const { name, root, probes, budget } = target;
  const slots = slotsOf(probes.map(({ day }) => day));
  const table = pageTable(
    `Probes of ${name}`,
    PROBE_COLUMNS,
    probes.map((probe) => probeRow(probe, budget, now_ms)),
  );
  const watched = `${targetFigures(target, now_ms)}
<div class="day">${dayStrip(slots, now_ms)}<p aria-hidden="true"><span>24 hours ago</span><span>now</span></p></div>
${table}`;
  return `<section aria-labelledby="target-${place}">
<h2 id="target-${place}">${escapeHtml(name)}</h2>
<p class="root">${escapeHtml(root)}</p>
${probes.length === 0 ? '<p>No probe is configured for this target.</p>' : watched}
<dl class="facts">
${facts(target)
  .map(([term, words]) => `<dt>${term}</dt><dd>${words}</dd>`)
  .join('\n')}
</dl>
${openTasks(target, now_ms)}
</section>`;
}

const SPEND = { hour: 'Spend this hour', day: 'Spend today (UTC)', month: 'Spend this month (UTC)' } as const;

function facts({ budget, credit_units }: TargetView): readonly (readonly [string, string])[] {
  return [
    ...(budget === null
      ? [['Spend', 'No budget is set, so no paid probe runs.'] as const]
      : BUDGET_PERIODS.map((period) => [SPEND[period], spent(budget[period], SPEND[period])] as const)),
    // Never as USD: a site says itself what a unit is worth, and may change it.
    ['Credit', credit_units === null ? NO_VALUE : `${grouped(credit_units)} site units`],
  ];
}

function spent({ spent: amount, limit }: SpentView, label: string): string {
  if (limit === null) return amount === null ? NO_VALUE : `${usdText(amount)}, no cap`;
  if (amount === null)
    return `${NO_VALUE} of ${usdText(limit)} <strong class="bad">the spend is not known, so paid probes are paused</strong>`;
  const full =
    amount >= limit ? ' <strong class="bad">the cap is reached, so paid probes are paused</strong>' : '';
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
