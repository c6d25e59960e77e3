import { expect, it } from 'vitest';
import type { ComparedFigure } from '../../contracts/comparison.ts';
import { LEAST_RUNS_A_SIDE, ONE_RUN_A_SIDE, type RunComparison } from '../comparison/run-comparison.ts';
import { comparisonHtml } from './comparison-html.ts';

const WORSE: ComparedFigure = {
  kind: 'chat',
  measure: 'e2e_p95',
  before: 1000,
  after: 1200,
  change: 0.2,
  low: 100,
  high: 400,
  verdict: 'worse',
};
const SAME: ComparedFigure = {
  ...WORSE,
  measure: 'e2e_p50',
  after: 990,
  change: -0.01,
  low: -100,
  high: 80,
  verdict: 'same',
};
const BETTER: ComparedFigure = {
  ...SAME,
  measure: 'ttft_p50',
  after: 500,
  change: -0.5,
  low: -600,
  high: -400,
  verdict: 'better',
};
const FAILED: ComparedFigure = {
  ...WORSE,
  measure: 'error_share',
  before: 0,
  after: 0.1,
  change: null,
  low: 0.05,
  high: 0.15,
};
const FEW: ComparedFigure = { ...SAME, measure: 'e2e_p99', low: null, high: null, verdict: 'too_few_calls' };

const of = (...figures: readonly ComparedFigure[]): RunComparison => ({
  before: 'A',
  after: 'B',
  figures,
  notes: [],
});
const page = (...comparisons: readonly RunComparison[]) => comparisonHtml(comparisons, '0.1.0');

it.each([
  [[WORSE, SAME, FEW], 'warning', 'These two runs differ: the later one is worse by 1 of 2 measures.'],
  [[BETTER], 'warning', 'These two runs differ: the later one is better by 1 of 1 measure.'],
  [
    [WORSE, BETTER, SAME],
    'warning',
    'These two runs differ: the later one is worse by 1 of 3 measures and better by 1.',
  ],
  [[SAME], 'good', 'No difference between these two runs is shown by any of 1 measure.'],
  [[FEW], 'warning', 'Too few calls to tell the runs apart by any measure.'],
  [[], 'warning', 'The runs have no calls of the same kind.'],
])('says first what comes of it', (figures, tone, words) => {
  expect(page(of(...figures))).toMatch(new RegExp(`<h1 class="${tone}">.*${words}</h1>`));
});

it('names each difference in words, a kind a line, and no other', () => {
  const html = page(of(WORSE, SAME, BETTER, FAILED, FEW));
  expect(html).toContain(
    '<ul><li>chat: worse by e2e p95 (+20.0 %), failed calls (0.1 from 0); better by TTFT p50 (-50.0 %)</li></ul>',
  );
});

it('draws the interval of each difference around the line of none: of before in %, of shares in points', () => {
  const html = page(of(WORSE, BETTER, FAILED, FEW));
  // From -60 % to +40 %: no difference lies at 60 % of the way.
  expect(html.match(/<b style="left:60\.00%"><\/b>/g)).toHaveLength(3);
  expect(html).toContain(
    '<div class="bar worse" style="left:70.00%;right:calc(100% - 100.00%)"></div><i style="left:80.00%"></i>',
  );
  expect(html).toContain('<div class="bar better" style="left:0.00%;right:calc(100% - 20.00%)"></div>');
  expect(html).toContain('<td class="number">+10.0 points</td><td class="number">+5.0 to +15.0</td>');
});

it('says of one run a side how often equal targets differ, and how many runs a side tell', () => {
  expect(page(of(WORSE))).toContain('of equal targets 21 to 57 in 100 comparisons show a difference');
  // All runs of one side beyond all of the other: 2 of the ways to choose a side, below 1 in 100.
  const ways = (of: number) =>
    Array.from({ length: of }, (_, n) => (of + n + 1) / (n + 1)).reduce((all, each) => all * each, 1);
  expect(Math.round(ways(LEAST_RUNS_A_SIDE))).toBe(252);
  expect(2 / ways(LEAST_RUNS_A_SIDE)).toBeLessThan(0.01);
  expect(2 / ways(LEAST_RUNS_A_SIDE - 1)).toBeGreaterThan(0.01);
  expect(ONE_RUN_A_SIDE).toContain('at least 5 runs a side');
});

it('cuts a bar that would press all others flat, and says so', () => {
  const html = page(of(SAME, { ...WORSE, after: 9000, change: 8, low: 7000, high: 9000 }));
  expect(html).toContain('A bar that reaches the edge is longer than it is drawn.');
  expect(html).toContain('right:calc(100% - 100.00%)');
  expect(page(of(WORSE, SAME))).not.toContain('reaches the edge');
});

it('holds several runs against the first, each in a section of its own, with its notes', () => {
  const html = page({ ...of(SAME), notes: ['the plans differ: <so>'] }, { ...of(WORSE), after: 'C' });
  expect(html).toContain('1 of 2 later runs differ from the first.</h1>');
  expect(html).toContain('<h2>B after A</h2>\n<p>No difference between these two runs is shown');
  expect(html).toContain(
    '<h2>C after A</h2>\n<p>These two runs differ: the later one is worse by 1 of 1 measure.</p>',
  );
  expect(html).toContain('<li>the plans differ: &lt;so&gt;</li>');
});
