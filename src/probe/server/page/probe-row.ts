import { escapeHtml } from '../../../text/escape-html.ts';
import type { ProbeView, TargetView } from '../../view/daemon-view.ts';
import type { ProbeRun } from '../../view/probe-run.ts';
import { dayStrip } from './day-strip.ts';
import { heldWords } from './held-words.ts';
import type { PageColumn, Row } from './page-table.ts';
import { ago, durationText, NO_VALUE, timeTag, until } from './page-text.ts';
import { CONDITION_WORDS, type ProbeCondition, probeCondition } from './probe-condition.ts';

export const PROBE_COLUMNS: readonly PageColumn[] = [
  { title: 'Probe' },
  { title: 'State' },
  { title: 'Last run' },
  { title: 'Took', numeric: true },
  { title: 'Next run', numeric: true },
  { title: '24 hours' },
];

export function probeRow(probe: ProbeView, budget: TargetView['budget'], now_ms: number): Row {
  const last = probe.runs.at(-1);
  const condition = probeCondition(probe, now_ms);
  const cells = [
    `<span class="name">${escapeHtml(probe.name)}</span> <span class="what">${escapeHtml(what(probe))}</span>`,
    `<strong class="state ${condition}">${CONDITION_WORDS[condition]}</strong>${waitWords(probe, condition, now_ms)}`,
    last === undefined ? NO_VALUE : lastRun(last, probe, now_ms),
    last === undefined ? NO_VALUE : durationText(last.duration_ms),
    next(probe, budget, now_ms),
    dayStrip(probe.day.slots, now_ms),
  ];
  return { cells, calm: condition === 'works' || condition === 'new' };
}

function waitWords({ running_since_ms }: ProbeView, condition: ProbeCondition, now_ms: number): string {
  if (condition !== 'silent' || running_since_ms === null) return '';
  return ` <span class="code">for ${durationText(now_ms - running_since_ms)}</span>`;
}

const PRICE_WORDS = { assumed: ['assumed price'], unknown: ['price unknown'], known: [] } as const;

function what({ api, model, stream, interval_ms, price }: ProbeView): string {
  return [
    api,
    ...(model === null ? [] : [model]),
    ...(stream ? ['streamed'] : []),
    `every ${durationText(interval_ms)}`,
    ...(price === null ? [] : PRICE_WORDS[price]),
  ].join(' · ');
}

function lastRun(run: ProbeRun, { last_success_ms }: ProbeView, now_ms: number): string {
  const when = timeTag(run.ended_ms, ago(now_ms - run.ended_ms));
  if (run.error_type === 'none') return when;
  const success =
    last_success_ms === null ? 'it has not succeeded yet' : `last success ${ago(now_ms - last_success_ms)}`;
  const reason = `<span class="code">${escapeHtml(`${run.error_type} · ${blameWords(run)} · ${success}`)}</span>`;
  return `${when}: <span class="why">${escapeHtml(run.why ?? 'the run gave no reason')}</span> ${reason}`;
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
  const by = `caused by ${whose[blame]}`;
  return request_id === null ? by : `${by} · request ${request_id}`;
}

function next(probe: ProbeView, budget: TargetView['budget'], now_ms: number): string {
  const { next_ms, running_since_ms } = probe;
  if (running_since_ms !== null) return 'running';
  const when = next_ms === null ? 'within 30 s' : timeTag(next_ms, until(next_ms - now_ms));
  const held = heldWords(probe, budget, now_ms);
  return held === null ? when : `${when} <span class="code">paused: ${escapeHtml(held)}</span>`;
}
