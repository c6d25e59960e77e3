import { ABSENT, ms, rateText } from '../../../report/words/figure-text.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import type { Progress } from '../../notices/progress.ts';

const WIDTH = 300;
const HEIGHT = 60;

interface Line {
  readonly title: string;
  readonly pick: (point: Point) => number | null;
  readonly words: (value: number | null) => string;
}

const LINES: readonly Line[] = [
  { title: 'Starts per second', pick: ({ started_rate }) => started_rate, words: rateText },
  { title: 'In flight', pick: ({ in_flight }) => in_flight, words: (value) => String(value ?? ABSENT) },
  { title: 'TTFT p95', pick: ({ ttft_p95 }) => ttft_p95, words: inMs },
  { title: 'e2e p95', pick: ({ e2e_p95 }) => e2e_p95, words: inMs },
];

/** The load since it began, a small line each, from 0 up; what was not known is a gap. */
export function overTime(points: readonly Point[]): string {
  if (points.length < 2) return '';
  const figures = LINES.map((line) => {
    const values = points.map(line.pick);
    const now = line.words(values.at(-1) ?? null);
    const most = line.words(mostOf(values));
    const label = `${line.title} over the last ${points.length} seconds: now ${now}, at most ${most}`;
    return `<figure><figcaption>${line.title} <strong>${escapeHtml(now)}</strong></figcaption><svg role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"><path d="${pathOf(values)}" vector-effect="non-scaling-stroke"/></svg></figure>`;
  });
  return `<section class="time" aria-label="Over time">${figures.join('')}</section>`;
}

function pathOf(values: readonly (number | null)[]): string {
  const top = mostOf(values) ?? 0;
  const step = WIDTH / Math.max(1, values.length - 1);
  let pen = 'M';
  const parts = values.flatMap((value, index) => {
    if (value === null) {
      pen = 'M';
      return [];
    }
    const y = HEIGHT - 2 - (top > 0 ? (value / top) * (HEIGHT - 4) : 0);
    const part = `${pen}${Math.round(index * step * 10) / 10} ${Math.round(y * 10) / 10}`;
    pen = 'L';
    return [part];
  });
  return parts.join('');
}

function mostOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (most, value) => (value === null ? most : Math.max(most ?? 0, value)),
    null,
  );
}

function inMs(value: number | null): string {
  return value === null ? ABSENT : `${ms(value)} ms`;
}

/** One moment of the load, for the lines over time; null where it was not known. */
export interface Point {
  readonly started_rate: number | null;
  readonly in_flight: number;
  readonly ttft_p95: number | null;
  readonly e2e_p95: number | null;
  readonly failed: number;
}

/** Null while nothing is driven. */
export function pointOf({ stage, load }: Progress): Point | null {
  if ((stage !== 'load' && stage !== 'trial') || load === null) return null;
  const { started_rate, in_flight, ttft, e2e, failed } = load.total;
  return {
    started_rate,
    in_flight,
    ttft_p95: ttft?.p95_ms ?? null,
    e2e_p95: e2e?.p95_ms ?? null,
    failed,
  };
}
