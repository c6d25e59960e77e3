import { escapeHtml } from '../../text/escape-html.ts';
import {
  comparisonHeadline,
  comparisonsHeadline,
  countWords,
  differences,
  type RunComparison,
  toldFigures,
} from '../comparison/run-comparison.ts';
import { comparisonTable } from '../sections/comparison-table.ts';
import { type Block, fold, type Section, text } from '../sections/report-document.ts';
import { sectionHtml } from './block-html.ts';
import { factList, pageHtml, verdictHeading } from './page-html.ts';
import { TABLE_SCRIPT } from './table-script.ts';

const HOW_SURE =
  'the bounds hold in 99 of 100 cases for the calls of these runs. Whole runs of one target vary by 2 to 5 % besides, and then of equal targets 21 to 57 in 100 comparisons show a difference';
const HOW_READ =
  'Each bar is between which bounds the difference lies, the dot what was measured, the line no difference: a bar that leaves the line out shows one. Times and cost in % of before, shares of calls in points. Of every measure less is better.';

/** compare.html: runs held against the first of them, in words first, then measure by measure. */
export function comparisonHtml(comparisons: readonly RunComparison[], version: string): string {
  const headline = comparisonsHeadline(comparisons);
  const facts = [
    ['Before', comparisons[0]?.before ?? ''],
    ['After', comparisons.map(({ after }) => after).join(', ')],
    ['How sure', HOW_SURE],
  ] as const;
  const sections = comparisons.map((each, index) => comparisonSection(each, index, comparisons.length));
  return pageHtml({
    title: `Weighbridge: ${headline.text}`,
    scripts: [TABLE_SCRIPT],
    body: `<header>
<p class="run">Weighbridge · ${comparisons.length === 1 ? 'two runs' : `${comparisons.length + 1} runs`} compared</p>
${verdictHeading(headline)}
${factList(facts)}
</header>
<main>
${sections.map((section) => sectionHtml(section, null)).join('\n')}
</main>
<footer>Made by Weighbridge ${escapeHtml(version)}. Another hour is another load on the target: what changed between the runs is not said here.</footer>
<p id="told" class="unseen" role="status"></p>`,
  });
}

function comparisonSection(comparison: RunComparison, index: number, of: number): Section {
  const { before, after, figures, notes } = comparison;
  const told = toldFigures(figures);
  const shown = differences(figures);
  const blocks: Block[] = [
    ...(of === 1 ? [] : [text(comparisonHeadline(comparison).text)]),
    ...(notes.length === 0 ? [] : [{ type: 'list', items: notes } as const]),
    text(`Measures: ${countWords(figures)}.`),
    ...(shown.length === 0 ? [] : [text('What differs:'), { type: 'list', items: shown } as const]),
    ...(told.length === 0 ? [] : [text(HOW_READ), { type: 'intervals', figures: told } as const]),
    ...(figures.length === 0
      ? []
      : [fold('All figures; times in ms, shares from 0 to 1', [comparisonTable(figures)])]),
  ];
  return { id: `after-${index + 1}`, title: `${after} after ${before}`, blocks };
}
