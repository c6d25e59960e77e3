import type { ComparedFigure, ComparedMeasure } from '../../contracts/comparison.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { plural } from '../../text/plural.ts';
import { changeText, comparisonTable } from '../sections/comparison-table.ts';
import { cellText } from '../sections/report-document.ts';
import { figure } from '../words/figure-text.ts';
import type { VerdictTone } from '../words/verdict-words.ts';

/** A run held against one before it. */
export interface RunComparison {
  readonly before: string;
  readonly after: string;
  readonly figures: readonly ComparedFigure[];
  /** What a reader must know of the two runs. */
  readonly notes: readonly string[];
}

/** Of equal targets all runs of one side lie beyond all of the other in 2 of C(10, 5) = 252 cases, less than 1 in 100. */
export const LEAST_RUNS_A_SIDE = 5;

/** What a difference between two runs does not show. */
export const ONE_RUN_A_SIDE =
  'these two runs differ, which does not show that the target changed: runs of one target vary by 2 to 5 %, ' +
  `so that it takes at least ${LEAST_RUNS_A_SIDE} runs a side`;

export interface ComparisonHeadline {
  readonly tone: VerdictTone;
  readonly text: string;
}

export const MEASURE_WORDS: Readonly<Record<ComparedMeasure, string>> = {
  ttft_p50: 'TTFT p50',
  ttft_p95: 'TTFT p95',
  ttft_p99: 'TTFT p99',
  tpot_p50: 'TPOT p50',
  tpot_p95: 'TPOT p95',
  e2e_p50: 'e2e p50',
  e2e_p95: 'e2e p95',
  e2e_p99: 'e2e p99',
  e2e_planned_p50: 'e2e from plan p50',
  e2e_planned_p95: 'e2e from plan p95',
  e2e_planned_p99: 'e2e from plan p99',
  error_share: 'failed calls',
  bad_share: 'bad calls',
  usd_per_1000_good: 'USD per 1,000 good calls',
};

/** Those that say how two runs differ, or that they do not. */
export function toldFigures(figures: readonly ComparedFigure[]): readonly ComparedFigure[] {
  return figures.filter(({ verdict }) => verdict !== 'too_few_calls');
}

/** What comes of it in one sentence. */
export function comparisonHeadline({ figures }: RunComparison): ComparisonHeadline {
  const told = toldFigures(figures);
  const [worse, better] = [countOf(told, 'worse'), countOf(told, 'better')];
  const of = `of ${plural(told.length, 'measure')}`;
  if (figures.length === 0) return { tone: 'warning', text: 'The runs have no calls of the same kind.' };
  if (told.length === 0)
    return { tone: 'warning', text: 'Too few calls to tell the runs apart by any measure.' };
  if (worse + better === 0)
    return { tone: 'good', text: `No difference between these two runs is shown by any ${of}.` };
  const parts =
    worse === 0
      ? `better by ${better} ${of}`
      : `worse by ${worse} ${of}${better === 0 ? '' : ` and better by ${better}`}`;
  return { tone: 'warning', text: `These two runs differ: the later one is ${parts}.` };
}

/** Of several runs held against the same one: how many of them differ. */
export function comparisonsHeadline(comparisons: readonly RunComparison[]): ComparisonHeadline {
  const [first, ...more] = comparisons;
  if (first === undefined) return { tone: 'warning', text: 'Nothing is compared.' };
  if (more.length === 0) return comparisonHeadline(first);
  const tones = comparisons.map((each) => comparisonHeadline(each).tone);
  const differing = comparisons.filter(({ figures }) => differences(figures).length > 0).length;
  return {
    tone: tones.includes('warning') ? 'warning' : 'good',
    text: `${differing} of ${comparisons.length} later runs differ from the first.`,
  };
}

/** The differences that are shown, in words: a line for each kind that has one. */
export function differences(figures: readonly ComparedFigure[]): readonly string[] {
  return [...Map.groupBy(figures, ({ kind }) => kind)].flatMap(([kind, own]) => {
    const parts = (['worse', 'better'] as const).flatMap((verdict) => {
      const named = own.filter((each) => each.verdict === verdict).map(differenceWords);
      return named.length === 0 ? [] : [`${verdict} by ${named.join(', ')}`];
    });
    return parts.length === 0 ? [] : [`${kind}: ${parts.join('; ')}`];
  });
}

/** The change; where nothing was before, what is now. */
function differenceWords({ measure, after, change }: ComparedFigure): string {
  return `${MEASURE_WORDS[measure]} (${change === null ? `${figure(after)} from 0` : changeText(change)})`;
}

/** How many measures came to which verdict. */
export function countWords(figures: readonly ComparedFigure[]): string {
  if (figures.length === 0) return 'the runs have no calls of the same kind to compare';
  return `${countOf(figures, 'worse')} worse, ${countOf(figures, 'better')} better, ${countOf(figures, 'same')} without a difference that is shown, ${countOf(figures, 'too_few_calls')} of too few calls`;
}

function countOf(figures: readonly ComparedFigure[], verdict: ComparedFigure['verdict']): number {
  return figures.filter((each) => each.verdict === verdict).length;
}

/** The comparison of two runs as lines of a terminal: a table of what it can tell, and what it comes to. */
export function comparisonText({ before, after, figures, notes }: RunComparison): readonly string[] {
  const { columns, rows } = comparisonTable(toldFigures(figures)).table;
  const all = [columns.map(({ title }) => title), ...rows.map((row) => row.map(cellText))];
  const lines = alignedRows(all, (column) => columns[column]?.numeric !== true);
  return [
    `before ${before}, after ${after}`,
    ...lines,
    countWords(figures),
    ...notes.map((note) => `note: ${note}`),
  ];
}
