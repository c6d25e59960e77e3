import { formatAmount, type PicoUsd } from '../../../core/amount.ts';
import { formatInstant } from '../../../core/time.ts';
import { escapeHtml } from '../../../text/escape-html.ts';

/** What stands where nothing is known: never 0. */
export const NO_VALUE = '–';

export function usdText(amount: PicoUsd): string {
  return amount < 0n ? `-$${formatAmount(-amount)}` : `$${formatAmount(amount)}`;
}

/** Digits in groups of three. */
export function grouped(units: bigint): string {
  return units.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `99.93 %`, rounded down: a failure never looks like none. */
export function shareText(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 10_000) / 100} %`;
}

const STEPS = [
  { ms: 86_400_000, unit: 'd' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'min' },
  { ms: 1_000, unit: 's' },
] as const;

/** `340 ms`, `2.4 s`, `12 s`, `3 min`, `2 h`: rounded down, so that nothing looks further than it is. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.floor(ms))} ms`;
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10} s`;
  const step = STEPS.find((each) => ms >= each.ms) ?? STEPS[3];
  return `${Math.floor(ms / step.ms)} ${step.unit}`;
}

export function ago(ms: number): string {
  return ms < 1_000 ? 'just now' : `${durationText(ms)} ago`;
}

/** `in 40 s`, or `due` where its time has come. */
export function until(ms: number): string {
  return ms < 1_000 ? 'due' : `in ${durationText(ms)}`;
}

/** A moment as the machine reads it, in the words a person does. */
export function timeTag(epochMs: number, words: string): string {
  return `<time datetime="${formatInstant(epochMs)}">${escapeHtml(words)}</time>`;
}

/** `2026-11-20 10:00:00 UTC`. */
export function moment(epochMs: number): string {
  return `${formatInstant(epochMs).slice(0, 19).replace('T', ' ')} UTC`;
}
