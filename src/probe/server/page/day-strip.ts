import { formatInstant } from '../../../core/time.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import { DAY_SLOTS, type DaySlot, runsOf, SLOT_MS } from '../../view/day-view.ts';
import { shareText } from './page-text.ts';

const BAR = 4;
const HEIGHT = 22;

/** 24 hours as a bar for each half hour, the newest at the right; the failed part of a bar is red, and its top is cut off. */
export function dayStrip(slots: readonly DaySlot[], now_ms: number, width = DAY_SLOTS * BAR): string {
  const newest = Math.floor(now_ms / SLOT_MS);
  const known = new Map(slots.map((slot) => [Math.floor(slot.start_ms / SLOT_MS), slot]));
  const bars = Array.from({ length: DAY_SLOTS }, (_, place) =>
    barOf(known.get(newest - DAY_SLOTS + 1 + place), place * BAR),
  );
  return `<svg class="strip" role="img" width="${width}" height="${HEIGHT}" viewBox="0 0 ${DAY_SLOTS * BAR} ${HEIGHT}" preserveAspectRatio="none" aria-label="${escapeHtml(words(slots))}">${bars.join('')}</svg>`;
}

function barOf(slot: DaySlot | undefined, x: number): string {
  const { good, failed } = slot ?? { good: 0, failed: 0 };
  if (good + failed === 0) return rect('idle', x, HEIGHT - 2, 2);
  if (failed === 0) return rect('ran', x, 6, HEIGHT - 6);
  // One failure among hundreds can still be seen.
  const share = Math.max(4, Math.round((failed / (good + failed)) * HEIGHT));
  return rect('failed', x, 0, share) + (share < HEIGHT ? rect('ran', x, share, HEIGHT - share) : '');
}

function rect(kind: string, x: number, y: number, height: number): string {
  return `<rect class="${kind}" x="${x}" y="${y}" width="3" height="${height}"/>`;
}

const MOST_NAMED = 3;

function words(slots: readonly DaySlot[]): string {
  const { good, failed } = runsOf(slots);
  if (good + failed === 0) return '24 hours: no run yet';
  const all = `24 hours: ${shareText(good, good + failed)} of ${plural(good + failed, 'run')} succeeded`;
  if (failed === 0) return all;
  const times = slots
    .filter((slot) => slot.failed > 0)
    .slice(-MOST_NAMED)
    .map(({ start_ms }) => formatInstant(start_ms).slice(11, 16));
  return `${all}; the last failures are from the half hours of ${times.join(', ')} UTC`;
}
