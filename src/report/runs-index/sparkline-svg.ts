import { escapeHtml } from '../../core/escape-html.ts';

const WIDTH = 120;
const HEIGHT = 26;
const EDGE = 3;

/** A line over runs, oldest first, its last value marked; a run without a value leaves a gap. Empty for fewer than two. */
export function sparklineSvg(values: readonly (number | null)[], name: string): string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return '';
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // A difference of a hundredth must not look like one of all: the height is a tenth of the value at least.
  const range = Math.max(high - low, Math.abs(high) / 10);
  const least = (low + high - range) / 2;
  const x = (index: number) => EDGE + (index * (WIDTH - 2 * EDGE)) / (values.length - 1);
  const y = (value: number) =>
    range === 0 ? HEIGHT / 2 : HEIGHT - EDGE - ((value - least) / range) * (HEIGHT - 2 * EDGE);
  const parts = values.map((value, index) => {
    if (value === null) return '';
    const before = index === 0 ? null : values[index - 1];
    return `${before == null ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  const last = values.findLastIndex((value) => value !== null);
  const end = values[last] ?? low;
  return `<svg class="spark" role="img" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="${escapeHtml(name)}"><path d="${parts.join('')}" fill="none" stroke="var(--c1)" stroke-width="1.5"/><circle cx="${x(last).toFixed(1)}" cy="${y(end).toFixed(1)}" r="2.5" fill="var(--c1)"/></svg>`;
}
