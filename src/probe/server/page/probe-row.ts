import { escapeHtml } from '../../../text/escape-html.ts';
import type { ProbeRun } from '../../runs/probe-run.ts';
import type { ProbeView, TargetView } from '../../view/daemon-view.ts';
import { heldWords } from './held-words.ts';
import type { Column, Row } from './page-table.ts';
import { ABSENT, ago, span, timeTag, until } from './page-text.ts';
import { CONDITION_WORDS, probeCondition } from './probe-condition.ts';
import { sparkline } from './sparkline.ts';

export const PROBE_COLUMNS: readonly Column[] = [
  { title: 'Probe' },
  { title: 'State' },
  { title: 'Last run' },
  { title: 'Took', numeric: true },
  { title: 'Next run', numeric: true },
  { title: 'Last runs' },
];

export function probeRow(probe: ProbeView, budget: TargetView['budget'], now_ms: number): Row {
  const last = probe.runs.at(-1);
  const condition = probeCondition(probe, now_ms);
  const cells = [
    `<span class="name">${escapeHtml(probe.name)}</span> <span class="what">${escapeHtml(what(probe))}</span>`,
    `<strong class="state ${condition}">${CONDITION_WORDS[condition]}</strong>`,
    last === undefined ? ABSENT : lastRun(last, probe, now_ms),
    last === undefined ? ABSENT : span(last.duration_ms),
    next(probe, budget, now_ms),
    sparkline(probe.runs) || ABSENT,
  ];
  return { cells, calm: condition === 'well' || condition === 'waits' };
}

function what({ api, model, stream, interval_ms }: ProbeView): string {
  return [
    api,
    ...(model === null ? [] : [model]),
    ...(stream ? ['streamed'] : []),
    `every ${span(interval_ms)}`,
  ].join(' · ');
}

function lastRun(run: ProbeRun, { last_success_ms }: ProbeView, now_ms: number): string {
  const when = timeTag(run.ended_ms, ago(now_ms - run.ended_ms));
  if (run.error_type === 'none') return when;
  const well = last_success_ms === null ? 'it was never well' : `well ${ago(now_ms - last_success_ms)}`;
  const reason = `<span class="code">${escapeHtml(`${run.error_type} · ${blameWords(run)} · ${well}`)}</span>`;
  return `${when}: <span class="why">${escapeHtml(run.why ?? 'no reason was told')}</span> ${reason}`;
}

function blameWords({ blame, request_id }: ProbeRun): string {
  const whose = {
    none: 'nobody',
    gateway: 'the gateway',
    upstream: 'its upstream',
    network: 'the network',
    account: 'our account',
    probe: 'the probe',
  };
  const by = `blamed on ${whose[blame]}`;
  return request_id === null ? by : `${by} · request ${request_id}`;
}

function next(probe: ProbeView, budget: TargetView['budget'], now_ms: number): string {
  const { next_ms } = probe;
  const when = next_ms === null ? ABSENT : timeTag(next_ms, until(next_ms - now_ms));
  const held = heldWords(probe, budget, now_ms);
  return held === null ? when : `${when} <span class="code">held: ${escapeHtml(held)}</span>`;
}
