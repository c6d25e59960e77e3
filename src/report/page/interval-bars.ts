import type { ComparedFigure } from '../../contracts/comparison.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { MEASURE_WORDS } from '../comparison/run-comparison.ts';
import { VERDICT_WORDS } from '../sections/comparison-table.ts';
import { ABSENT } from '../words/figure-text.ts';

/** A difference on the scale that all bars share: hundredths of what was before, or of all calls where it is a share. */
interface Difference {
  readonly low: number;
  readonly at: number;
  readonly high: number;
  readonly unit: '%' | 'points';
}

/** Beyond so much a bar is cut: one measure that doubled must not press all others flat. */
const MOST = 100;
const FILTER_FROM = 12;

/** A bar for each measure: between which bounds the difference lies, around the line of no difference. */
export function intervalBarsHtml(figures: readonly ComparedFigure[], name: string): string {
  const rows = figures.map((figure) => ({ figure, difference: differenceOf(figure) }));
  const drawn = rows.flatMap(({ difference }) => difference ?? []);
  if (drawn.length === 0) return '';
  const least = Math.max(-MOST, Math.min(0, ...drawn.map(({ low }) => low)));
  const most = Math.min(MOST, Math.max(0, ...drawn.map(({ high }) => high)));
  const place = (value: number): string =>
    ((100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least || 1)).toFixed(2);
  const cut = drawn.some(({ low, high }) => low < least || high > most);
  const filter = rows.length >= FILTER_FROM ? ' data-filter' : '';
  const note = cut ? '<p class="note">A bar that reaches the edge is longer than it is drawn.</p>' : '';
  return `<div class="wide" role="group" tabindex="0" aria-label="${escapeHtml(name)}"><table class="fall spans"${filter}>
<thead><tr><th scope="col">kind</th><th scope="col">measure</th><th scope="col">difference</th><th scope="col" class="number">change</th><th scope="col" class="number">99 % interval</th><th scope="col">verdict</th></tr></thead>
<tbody>
${rows.map(({ figure, difference }) => rowHtml(figure, difference, place)).join('\n')}
</tbody></table></div>${note}`;
}

const TONE: Readonly<Record<ComparedFigure['verdict'], string>> = {
  worse: 'bad',
  better: 'good',
  same: 'plain',
  too_few_calls: 'plain',
};

function rowHtml(
  { kind, measure, verdict }: ComparedFigure,
  difference: Difference | null,
  place: (value: number) => string,
): string {
  const bar =
    difference === null
      ? ''
      : `<div class="bar ${verdict}" style="left:${place(difference.low)}%;right:calc(100% - ${place(difference.high)}%)"></div><i style="left:${place(difference.at)}%"></i>`;
  const change = difference === null ? ABSENT : `${signed(difference.at)} ${difference.unit}`;
  const interval = difference === null ? ABSENT : `${signed(difference.low)} to ${signed(difference.high)}`;
  return `<tr><td>${kind}</td><th scope="row">${MEASURE_WORDS[measure]}</th><td class="track"><div><b style="left:${place(0)}%"></b>${bar}</div></td><td class="number">${change}</td><td class="number">${interval}</td><td class="${TONE[verdict]}">${VERDICT_WORDS[verdict]}</td></tr>`;
}

function differenceOf({ measure, before, after, low, high }: ComparedFigure): Difference | null {
  if (low === null || high === null) return null;
  const share = measure === 'error_share' || measure === 'bad_share';
  if (!share && before === 0) return null;
  const scale = share ? 100 : 100 / before;
  return { low: low * scale, at: (after - before) * scale, high: high * scale, unit: share ? 'points' : '%' };
}

/** One decimal: more cannot be seen, and the table has it. The sign stands even where the digit is 0. */
function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
}
