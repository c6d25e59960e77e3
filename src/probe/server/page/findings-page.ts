import { TITLE_OF } from '../../../contracts/fault-class.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import type { BillView, FindingGroupView } from '../../view/bill-view.ts';
import type { DaemonView, TargetView } from '../../view/daemon-view.ts';
import type { Answer } from '../answer.ts';
import { auditedCallsWords, differenceWords } from './bill-section.ts';
import { pageAnswer, renderPage } from './page-shell.ts';
import { pageTable, type Row } from './page-table.ts';
import { moment, NO_VALUE, timeTag } from './page-text.ts';

/** `/findings`: what the last audit of the daemon's own calls found, by kind, with an example of each. */
export function findingsPage(view: DaemonView): Answer {
  return pageAnswer(renderFindingsPage(view));
}

export function renderFindingsPage(view: DaemonView): string {
  const count = view.targets.reduce((sum, { audit }) => sum + (audit?.findings ?? 0), 0);
  const title = count === 0 ? 'The bill has no findings' : `The bill has ${plural(count, 'finding')}`;
  return renderPage(view, {
    title,
    head: `<p class="run">Weighbridge probe · ${timeTag(view.now_ms, moment(view.now_ms))}</p>
<h1${count === 0 ? '' : ' class="bad"'}>${title}.</h1>
<p>The daemon compares its own paid calls with the usage records and the price list. Calls of other programs are not part of it.</p>`,
    controls: '',
    main: view.targets.map((target, place) => targetFindings(target, place, view.now_ms)).join('\n'),
  });
}

function targetFindings({ name, audit }: TargetView, place: number, now_ms: number): string {
  return `<section aria-labelledby="findings-${place}">
<h2 id="findings-${place}">${escapeHtml(name)}</h2>
${audit === null ? '<p>No paid call has been compared with its record yet.</p>' : findings(name, audit, now_ms)}
</section>`;
}

const COLUMNS = [
  { title: 'Finding' },
  { title: 'Findings', numeric: true },
  { title: 'Difference' },
  { title: 'Example' },
  { title: 'What to do' },
] as const;

function findings(name: string, audit: BillView, now_ms: number): string {
  const checked = `<p>${auditedCallsWords(audit, now_ms)}.</p>`;
  const few = audit.verdict === 'inconclusive' ? '<p>Too little could be checked to judge the rest.</p>' : '';
  if (audit.groups.length === 0) return checked + few;
  return `${checked}${few}
${pageTable(`Findings in the bill of ${name}`, COLUMNS, audit.groups.map(groupRow))}`;
}

function groupRow(group: FindingGroupView): Row {
  const { request_id, model, explanation, next_step } = group.example;
  const about = [
    ...(model === null ? [] : [model]),
    ...(request_id === null ? [] : [`request ${request_id}`]),
  ];
  return {
    cells: [
      `<span class="name">${escapeHtml(TITLE_OF[group.class])}</span> <span class="what"><code>${group.class}</code></span>`,
      String(group.findings),
      differenceWords(group),
      `${escapeHtml(explanation)} <span class="code">${escapeHtml(about.join(' · '))}</span>`,
      escapeHtml(next_step) || NO_VALUE,
    ],
  };
}
