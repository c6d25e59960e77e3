import { escapeHtml } from '../../text/escape-html.ts';
import type { Curve, CurvePoint } from '../sections/report-document.ts';

const WIDTH = 720;
const HEIGHT = 260;
const EDGE = { left: 64, right: 96, top: 32, bottom: 44 };
const RADIUS = 5;
const COLOR: Readonly<Record<CurvePoint['tone'], string>> = {
  good: '--good',
  bad: '--bad',
  warning: '--warning',
};

/** A point for each measurement, joined in the order of x, between two axes from 0. */
export function curveHtml({ title, x, y, points }: Curve): string {
  if (points.length < 2) return '';
  const [mostX, mostY] = [roundTop(points.map((point) => point.x)), roundTop(points.map((point) => point.y))];
  const left = (value: number): string =>
    (EDGE.left + (value / mostX) * (WIDTH - EDGE.left - EDGE.right)).toFixed(1);
  const top = (value: number): string =>
    (HEIGHT - EDGE.bottom - (value / mostY) * (HEIGHT - EDGE.top - EDGE.bottom)).toFixed(1);
  const sorted = points.toSorted((one, other) => one.x - other.x);
  const path = sorted.map((point) => `${left(point.x)} ${top(point.y)}`).join('L');
  const marks = sorted.map(
    (point) =>
      `<circle cx="${left(point.x)}" cy="${top(point.y)}" r="${RADIUS}" fill="var(${COLOR[point.tone]})"><title>${escapeHtml(`${point.label}: ${round(point.x)} ${x}, ${round(point.y)} ${y}`)}</title></circle><text x="${left(point.x)}" y="${top(point.y)}" dx="9" dy="-5">${escapeHtml(point.label)}</text>`,
  );
  const halves = [0, 0.5, 1];
  const rows = halves.map(
    (part) =>
      `<path d="M${EDGE.left} ${top(part * mostY)}H${WIDTH - EDGE.right}" stroke="var(--line)"/><text x="${EDGE.left - 8}" y="${top(part * mostY)}" dy="4" text-anchor="end">${round(part * mostY)}</text>`,
  );
  const columns = halves.map(
    (part) =>
      `<text x="${left(part * mostX)}" y="${HEIGHT - EDGE.bottom + 18}" text-anchor="middle">${round(part * mostX)}</text>`,
  );
  const told = sorted.map((point) => `${point.label} ${round(point.x)} and ${round(point.y)}`).join('; ');
  return `<figure style="margin:1rem 0;max-width:48rem"><figcaption>${escapeHtml(title)}</figcaption><svg style="width:100%;height:auto" role="img" aria-label="${escapeHtml(`${title}: ${told}`)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" fill="var(--muted)" font-size="12">${rows.join('')}${columns.join('')}<text x="${EDGE.left}" y="${HEIGHT - 6}">${escapeHtml(x)}</text><text x="4" y="11">${escapeHtml(y)}</text><path d="M${path}" fill="none" stroke="var(--c1)" stroke-width="2"/>${marks.join('')}</svg></figure>`;
}

/** The next of 1, 2, 5 times a power of ten above all values. */
function roundTop(values: readonly number[]): number {
  const most = Math.max(...values);
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

function round(value: number): string {
  return String(Number(value.toPrecision(3)));
}
