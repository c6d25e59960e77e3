import { parseAmount } from '../../core/amount.ts';
import { escapeHtml } from '../../core/escape-html.ts';
import { signedUsd, usd } from '../figure-text.ts';
import type { WaterfallStep } from '../report-document.ts';

interface Bar extends WaterfallStep {
  /** From where to where on the scale of the sums, in whole pico-USD. */
  readonly from: bigint;
  readonly to: bigint;
}

/** The scale is cut where the changes would be a hair at the end of two equal bars. */
const CUT_BELOW = 0.3;

/** Rows of label, bar and amount. Floats place the bars; every figure is the exact text. */
export function waterfallHtml(steps: readonly WaterfallStep[]): string {
  const bars = barsOf(steps);
  const ends = bars.flatMap(({ from, to }) => [from, to]).sort((left, right) => (left < right ? -1 : 1));
  const least = Number(ends[0] ?? 0n);
  const most = Number(ends.at(-1) ?? 0n);
  const changed = bars
    .filter(({ role }) => role === 'change')
    .flatMap(({ from, to }) => [from, to])
    .map(Number);
  const width = changed.length === 0 ? most : Math.max(...changed) - Math.min(...changed);
  const cut = changed.length > 0 && least >= 0 && width < CUT_BELOW * most;
  const begin = cut ? Math.max(0, Math.min(...changed) - width) : least;
  const place = (value: bigint) =>
    `${share((Math.max(Number(value), begin) - begin) / (most - begin || 1))}%`;
  const rows = bars.map(({ label, role, amount, from, to }) => {
    const [left, right] = from < to ? [from, to] : [to, from];
    const look = role === 'sum' ? (cut ? 'sum cut' : 'sum') : amount.startsWith('-') ? 'less' : 'more';
    const bar = `<div class="bar ${look}" style="left:${place(left)};right:calc(100% - ${place(right)})"></div>`;
    const figure = role === 'sum' ? usd(amount) : signedUsd(amount);
    return `<tr><th scope="row">${escapeHtml(label)}</th><td class="track"><div>${bar}</div></td><td class="number">${escapeHtml(figure)}</td></tr>`;
  });
  const note = cut ? '<p class="note">The scale does not begin at 0: the changes would not be seen.</p>' : '';
  return `<table class="fall"><thead><tr><th scope="col">step</th><th scope="col">bar</th><th scope="col" class="number">USD</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>${note}`;
}

function barsOf(steps: readonly WaterfallStep[]): readonly Bar[] {
  let sum = 0n;
  return steps.map((step) => {
    const amount = parseAmount(step.amount);
    if (amount === null) throw new RangeError(`waterfall: ${JSON.stringify(step.amount)} is no amount`);
    const from = step.role === 'sum' ? 0n : sum;
    sum = step.role === 'sum' ? amount : sum + amount;
    return { ...step, from, to: sum };
  });
}

/** Per cent with two decimals: nothing finer can be seen. */
function share(value: number): string {
  return (value * 100).toFixed(2);
}
