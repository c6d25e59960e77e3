import { escapeHtml } from '../../../text/escape-html.ts';
import type { DaemonView } from '../../view/daemon-view.ts';
import type { Answer } from '../answer.ts';
import { billSection } from './bill-section.ts';
import { pageAnswer, renderPage } from './page-shell.ts';
import { ago, durationText, moment, timeTag } from './page-text.ts';
import { statusHeadline } from './status-headline.ts';
import { targetSection } from './target-section.ts';

/** `/`: the bill first where it has findings, then each target. */
export function statusPage(view: DaemonView): Answer {
  return pageAnswer(renderStatusPage(view));
}

export function renderStatusPage(view: DaemonView): string {
  const { tone, text } = statusHeadline(view);
  const { now_ms, started_ms, reload } = view;
  return renderPage(view, {
    title: text,
    head: `<p class="run">Weighbridge probe · ${timeTag(now_ms, moment(now_ms))}</p>
<h1 class="${tone}">${escapeHtml(text)}.</h1>
${reloadNote(view)}<p class="run">Newest run: ${newestRun(view)} · running for ${durationText(now_ms - started_ms)} · configuration loaded ${timeTag(reload.last_success_ms, ago(now_ms - reload.last_success_ms))}</p>`,
    controls: '<label class="more"><input id="all" type="checkbox"> Show every figure of each probe</label>',
    main: [
      billSection(view),
      ...view.targets.map((target, place) => targetSection(target, place, now_ms)),
    ].join('\n'),
  });
}

function reloadNote({ reload }: DaemonView): string {
  if (reload.successful && reload.problem === null) return '';
  const problem = escapeHtml(reload.problem ?? 'The daemon gave no reason.');
  return `<div class="note" role="status"><strong class="bad">The last reload failed. The previous configuration stays in force.</strong><pre>${problem}</pre></div>\n`;
}

/** How old the figures below are. */
function newestRun({ targets, now_ms }: DaemonView): string {
  const ends = targets.flatMap(({ probes }) => probes.flatMap(({ runs }) => runs.at(-1)?.ended_ms ?? []));
  const newest = Math.max(...ends);
  return ends.length === 0 ? 'none yet' : timeTag(newest, ago(now_ms - newest));
}
