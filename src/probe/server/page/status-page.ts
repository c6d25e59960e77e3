import { BUDGET_PERIODS } from '../../../core/budget-period.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import type { DaemonView, SpentView, TargetView } from '../../view/daemon-view.ts';
import type { Answer } from '../answer.ts';
import { pagePolicy, securityHeaders } from '../security-headers.ts';
import { pageTable } from './page-table.ts';
import { ago, durationText, grouped, moment, NO_VALUE, timeTag, usdText } from './page-text.ts';
import { PROBE_COLUMNS, probeRow } from './probe-row.ts';
import { statusHeadline } from './status-headline.ts';
import { STATUS_STYLE } from './status-style.ts';

/** How often the page asks for itself. */
const REFRESH_S = 15;

/**
 * Puts the page's new state in the place of the old one, without losing where the reader is; says so where the daemon no
 * longer answers, since an old page must not pass for the present. It does not ask for location.href, which may hold a
 * password: fetch refuses that. Plain browser JavaScript; nothing here holds data.
 */
const STATUS_SCRIPT = `(() => {
  const stale = document.getElementById('stale');
  let answered = new Date();
  async function refresh() {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.origin + location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(10000) });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const parts = ['title', '#head', 'main'];
      if (getSelection().isCollapsed) for (const part of parts) {
        const fresh = page.querySelector(part);
        if (fresh !== null) document.querySelector(part).innerHTML = fresh.innerHTML;
      }
      answered = new Date();
      stale.hidden = true;
    } catch {
      stale.textContent = 'The daemon does not answer. What stands here is of ' + answered.toLocaleTimeString() + '.';
      stale.hidden = false;
    }
  }
  setInterval(refresh, ${REFRESH_S * 1000});
  document.addEventListener('visibilitychange', refresh);
})();
`;

const HEADERS = securityHeaders(pagePolicy(STATUS_SCRIPT, STATUS_STYLE));

/** `/`: one file that asks for nothing but itself. Its links are relative: it may stand behind a proxy's folder. */
export function statusPage(view: DaemonView): Answer {
  return { status: 200, type: 'text/html; charset=utf-8', body: renderStatusPage(view), headers: HEADERS };
}

export function renderStatusPage(view: DaemonView): string {
  const headline = statusHeadline(view);
  const targets = view.targets.map((target, place) => targetSection(target, place, view.now_ms));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${headline.text} – Weighbridge`)}</title>
<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>
<style>${STATUS_STYLE}</style>
</head>
<body>
<header>
<p id="stale" class="note bad" role="alert" hidden></p>
<div id="head">
<p class="run">Weighbridge probe · ${timeTag(view.now_ms, moment(view.now_ms))}</p>
<h1 class="${headline.tone}">${escapeHtml(headline.text)}</h1>
${reloadNote(view)}<dl class="facts">
<dt>Newest run</dt><dd>${newestRun(view)}</dd>
<dt>Running</dt><dd>${durationText(view.now_ms - view.started_ms)}, since ${moment(view.started_ms)}</dd>
<dt>Configuration</dt><dd>loaded ${timeTag(view.reload.last_success_ms, ago(view.now_ms - view.reload.last_success_ms))}</dd>
</dl>
</div>
<label class="more"><input id="all" type="checkbox"> every figure of each probe</label>
</header>
<main>
${targets.join('\n')}
</main>
<footer>
<nav aria-label="Other pages"><a href="metrics">metrics</a> <a href="api/status">this page as JSON</a> <a href="config">configuration</a></nav>
Weighbridge ${escapeHtml(view.version)}. This page asks for itself anew every ${plural(REFRESH_S, 'second')}.
</footer>
<script>${STATUS_SCRIPT}</script>
</body>
</html>
`;
}

function reloadNote({ reload }: DaemonView): string {
  if (reload.successful && reload.problem === null) return '';
  const problem = escapeHtml(reload.problem ?? 'no reason was told');
  return `<div class="note" role="status"><strong class="bad">The last reload failed; the configuration before it stays in force.</strong><pre>${problem}</pre></div>\n`;
}

/** How old what stands below is. */
function newestRun({ targets, now_ms }: DaemonView): string {
  const ends = targets.flatMap(({ probes }) => probes.flatMap(({ runs }) => runs.at(-1)?.ended_ms ?? []));
  const newest = Math.max(...ends);
  return ends.length === 0 ? 'none yet' : timeTag(newest, ago(now_ms - newest));
}

/** One target: its probes, its money, its open tasks. `place` makes ids of the page, since names may hold anything. */
function targetSection(target: TargetView, place: number, now_ms: number): string {
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
