import { PAID_KINDS } from '../../../core/call-kind.ts';
import { pageTable } from '../../../probe/server/page/page-table.ts';
import { ms } from '../../../report/words/figure-text.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import type { Figures, LoadProgress, Progress } from '../../notices/progress.ts';
import { VERSION } from '../../version/version.ts';
import { KIND_COLUMNS } from '../kind-columns.ts';
import {
  errorName,
  goalWords,
  leftWords,
  sampleWords,
  settlementWords,
  shareDone,
  spendWords,
  stageWords,
  tickOf,
  timeWords,
} from '../progress-words.ts';
import { LIVE_SCRIPT, LIVE_STYLE } from './live-assets.ts';
import type { Point } from './load-points.ts';
import { overTime } from './over-time.ts';

/** `/`: one file that asks for nothing but the frames that follow. */
export function livePage(progress: Progress | null, points: readonly Point[]): string {
  const { title, html } = liveMain(progress, points);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${LIVE_STYLE}</style>
</head>
<body>
<p id="stale" class="note" role="alert" hidden></p>
<main id="live">${html}</main>
<footer>Weighbridge ${escapeHtml(VERSION)}. Times and tokens are of calls that ended in the last 10 seconds.</footer>
<script>${LIVE_SCRIPT}</script>
</body>
</html>
`;
}

/** What every frame puts in the place of the last one. */
export function liveMain(
  progress: Progress | null,
  points: readonly Point[],
): { readonly title: string; readonly html: string } {
  if (progress === null) return { title: 'Weighbridge', html: '<h1>Nothing runs yet</h1>' };
  const { load, verdict, command, target, run_id } = progress;
  const headline = verdict?.headline ?? stageLine(progress);
  const html = [
    `<p class="run">${escapeHtml(`${command} of ${target} · run ${run_id}`)}</p>`,
    `<h1 class="${verdict?.tone ?? 'plain'}">${escapeHtml(headline)}</h1>`,
    ...(verdict === null ? [] : [verdictBlock(verdict)]),
    ...(load === null ? [] : [progressBar(progress, load), objectiveList(load)]),
    factList(progress),
    overTime(points),
    ...(load === null ? [] : [kindsTable(load), errorsTable(load)]),
  ];
  return { title: `${headline} – Weighbridge`, html: html.join('\n') };
}

function stageLine(progress: Progress): string {
  const { stage, load } = progress;
  const words = stageWords(progress);
  const time = (stage === 'load' || stage === 'trial') && load !== null ? ` · ${timeWords(load)}` : '';
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${time}`;
}

/** As it is printed; its table becomes one that a phone shows as cards. */
function verdictBlock({ lines, report }: NonNullable<Progress['verdict']>): string {
  const head = lines.findIndex((line) => line.startsWith('kind '));
  const after = lines.findIndex((line, at) => at > head && !ofKind(line));
  const end = head < 0 ? 0 : after < 0 ? lines.length : after;
  const words = [...lines.slice(0, Math.max(0, head)), ...lines.slice(end), `report    ${report}`];
  const text = words.map((line) => `<span>${escapeHtml(line)}</span>`).join('\n');
  const [titles = [], ...rows] = lines.slice(Math.max(0, head), end).map((line) => line.split(/ {2,}/));
  const columns = titles.map((title, at) => (at === 0 ? { title } : { title, numeric: true as const }));
  const table = pageTable(
    'The whole load by kind',
    columns,
    rows.map((cells) => ({ cells: cells.map(escapeHtml) })),
  );
  return `<pre aria-label="Verdict">${text}</pre>${rows.length === 0 ? '' : table}`;
}

function ofKind(line: string): boolean {
  return PAID_KINDS.some((kind) => line.startsWith(`${kind} `));
}

function progressBar({ stage }: Progress, load: LoadProgress): string {
  if (stage !== 'load' && stage !== 'trial') return '';
  const share = Math.floor(shareDone(load) * 100);
  return `<p class="done"><progress max="100" value="${share}" aria-label="How far the load has come"></progress> ${share} %</p>`;
}

function objectiveList({ objectives }: LoadProgress): string {
  const items = objectives.map((objective) => {
    const tone = objective.met === null ? 'plain' : objective.met ? 'good' : 'bad';
    const state = objective.met === null ? 'not known yet' : objective.met ? 'met' : 'missed';
    return `<li class="${tone}"><span aria-hidden="true">${tickOf(objective)}</span> ${escapeHtml(goalWords(objective))} <small>${state}</small></li>`;
  });
  return items.length === 0 ? '' : `<ul class="goals" aria-label="Objectives">${items.join('')}</ul>`;
}

function factList({ stage, load, settlement }: Progress): string {
  const spend = load === null ? null : spendWords(load);
  const sample = load === null ? null : sampleWords(load);
  const facts: readonly (readonly [string, string | null])[] = [
    ['Money', spend],
    ['Settlement', settlement === null ? null : settledText(settlement, stage)],
    ['Client', load === null ? null : clientText(load)],
    ['Sample', sample],
  ];
  const rows = facts.flatMap(([name, text]) =>
    text === null ? [] : [`<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`],
  );
  return rows.length === 0 ? '' : `<dl class="facts">${rows.join('')}</dl>`;
}

function settledText(settlement: NonNullable<Progress['settlement']>, stage: Progress['stage']): string {
  const words = settlementWords(settlement);
  return stage === 'settle' ? `${words} · ${leftWords(settlement.left_ms)}` : words;
}

function clientText({ client }: LoadProgress): string {
  const lost = client.rows_lost === 0 ? '' : ` · ${client.rows_lost} rows lost`;
  return `start lag ${ms(client.sched_lag_ms)} ms · CPU ${client.cpu_cores} cores${lost}`;
}

function kindsTable({ kinds, total }: LoadProgress): string {
  const row = (name: string, figures: Figures) => [
    escapeHtml(name),
    ...KIND_COLUMNS.map(({ cell, tone }) => {
      const text = escapeHtml(cell(figures));
      const of = tone?.(figures) ?? 'plain';
      return of === 'plain' ? text : `<strong class="${of}">${text}</strong>`;
    }),
  ];
  const rows = kinds.map(({ kind, ...figures }) => row(kind, figures));
  const columns = [
    { title: 'Kind' },
    ...KIND_COLUMNS.map(({ title }) => ({ title, numeric: true as const })),
  ];
  const all = kinds.length > 1 ? [...rows, row('total', total)] : rows;
  return pageTable(
    'Calls by kind; times in ms, of the last 10 seconds',
    columns,
    all.map((cells) => ({ cells })),
  );
}

function errorsTable({ errors, errors_others }: LoadProgress): string {
  if (errors.length === 0) return '';
  const rows = errors.map((error) => [
    escapeHtml(errorName(error)),
    String(error.count),
    escapeHtml(
      Object.entries(error.kinds)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', '),
    ),
  ]);
  const others = errors_others === 0 ? [] : [['others', String(errors_others), '']];
  const columns = [{ title: 'Error' }, { title: 'Calls', numeric: true as const }, { title: 'Kinds' }];
  return pageTable(
    'Failed calls by code',
    columns,
    [...rows, ...others].map((cells) => ({ cells })),
  );
}
