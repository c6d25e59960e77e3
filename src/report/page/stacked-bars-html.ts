import { escapeHtml } from '../../core/escape-html.ts';
import { ms } from '../figure-text.ts';
import type { StackedBars } from '../report-document.ts';

const COLORS = 6;

/** Bars of parts, for the eye only: the table beneath tells the same. */
export function stackedBarsHtml({ unit, rows }: StackedBars): string {
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const colorOf = (name: string) => `var(--c${(names.indexOf(name) % COLORS) + 1})`;
  const most = Math.max(0, ...rows.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const key = names.map(
    (name) => `<span><i style="background:${colorOf(name)}"></i>${escapeHtml(name)}</span>`,
  );
  const bars = rows.map(({ label, parts }) => {
    const pieces = parts.map(
      ({ name, value }) =>
        `<div style="width:${((value / (most || 1)) * 100).toFixed(2)}%;background:${colorOf(name)}" title="${escapeHtml(`${name} ${ms(value)}`)}"></div>`,
    );
    return `<div class="bar-label">${escapeHtml(label)}</div><div class="bar-track">${pieces.join('')}</div>`;
  });
  return `<div class="stacked" aria-hidden="true"><div class="key">${key.join('')}<span>${escapeHtml(unit)}</span></div>${bars.join('\n')}</div>`;
}
