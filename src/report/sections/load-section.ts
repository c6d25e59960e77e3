import type { LoadFigures, LoadResult } from '../../contracts/load-result.ts';
import type { LatencyTable, StageFigures } from '../../contracts/time-figures.ts';
import { plural } from '../../text/plural.ts';
import { callsOf, showsCalls } from '../words/calls-column.ts';
import { failedDownloadWords } from '../words/failed-download-words.ts';
import { furtherFailures } from '../words/failure-words.ts';
import { ABSENT, ms, percent, rateText, usd, usdAbout } from '../words/figure-text.ts';
import { actualWords, boundWords, measureWords, objectiveState } from '../words/objective-words.ts';
import { outputRate } from '../words/token-rates.ts';
import { tokenWords } from '../words/token-words.ts';
import { nothingMeasuredWords } from '../words/verdict-words.ts';
import { latencyBlocks } from './money-by-blocks.ts';
import { type Block, type Cell, type Section, table, text } from './report-document.ts';

/** `withBill` false leaves out every figure and word of money, and tells the throughput in its place. */
export function loadSection(load: LoadResult, withBill = true): Section {
  return { id: 'load', title: 'Load', blocks: loadBlocks(load, withBill) };
}

/** The same figures in full: by scenario, every percentile, the stages of jobs. */
export function latencySection(load: LoadResult, withBill = true): Section {
  const { titles, cellsOf } = figureColumns(load, withBill);
  return {
    id: 'latency',
    title: 'Load and latency in full',
    blocks: [
      text('Figures by kind and by scenario'),
      table(
        ['kind', ...titles, 'outcomes'],
        [
          ...load.kinds.map((figures) => [figures.kind, ...cellsOf(figures), outcomeText(figures)]),
          ['total', ...cellsOf(load.total), outcomeText(load.total)],
        ],
        1,
      ),
      table(
        ['scenario', 'kind', 'model', ...titles, '#tokens in / out'],
        load.scenarios.map((figures) => [
          figures.scenario,
          figures.kind,
          figures.model,
          ...cellsOf(figures),
          figures.tokens === null ? ABSENT : `${figures.tokens.input ?? ABSENT} / ${figures.tokens.output}`,
        ]),
      ),
      ...latencyBlocks(load),
      ...stageBlocks(load),
    ],
  };
}

/** What a refusal taught, and what follows. */
const LEARNT_WORDS: Readonly<Record<string, string>> = {
  max_completion_tokens:
    'the target refused max_tokens, so the output limit was sent as max_completion_tokens (traffic[].max_tokens_key says so from the start).',
  no_done:
    'streams ended without [DONE]: a finish_reason for each choice was taken for their end (target.stream_end: done asks for both).',
  no_stream_options:
    'the target refused stream_options, so streams were not asked for their usage: tokens are those that a stream told by itself, else unknown.',
};

function figureColumns(load: LoadResult, withBill: boolean) {
  const calls = showsCalls([...load.kinds, ...load.scenarios]);
  const titles = [
    '#planned',
    '#started',
    '#dropped',
    '#held',
    ...(calls ? ['#calls'] : []),
    '#ok',
    '#starts/s',
    '#asked/s',
    '#good calls/s',
    '#attainment',
    ...(withBill ? ['#USD per 1,000 good'] : ['#output tokens/s', '#a stream']),
  ];
  return { titles, cellsOf: (figures: LoadFigures) => figureCells(figures, calls, withBill) };
}

/** The few figures that are looked for first. */
function kindTable(load: LoadResult): Block {
  const { kinds, total, measured_s } = load;
  const cellsOf = (figures: LoadFigures) => [
    String(figures.started),
    String(figures.dropped),
    String(figures.ok),
    rateText(figures.achieved_rate),
    percent(figures.attainment),
    ms(figures.latency.ttft?.p50),
    ms(figures.latency.ttft?.p95),
    ms(figures.latency.e2e?.p50),
    ms(figures.latency.e2e?.p95),
  ];
  const rows = kinds.map((figures) => [figures.kind, ...cellsOf(figures), outputRate(figures, measured_s)]);
  return table(
    [
      'kind',
      '#started',
      '#dropped',
      '#ok',
      '#starts/s',
      '#good calls',
      '#TTFT p50 ms',
      '#p95',
      '#e2e p50 ms',
      '#p95',
      '#output tokens/s',
    ],
    // Times of different kinds make no common figure.
    [...rows, ['total', ...cellsOf(total).slice(0, 5), ABSENT, ABSENT, ABSENT, ABSENT, ABSENT]],
    1,
  );
}

function loadBlocks(load: LoadResult, withBill: boolean): readonly Block[] {
  const unmeasured = nothingMeasuredWords(load);
  const blocks: Block[] = [
    ...(unmeasured === null ? [] : [text(`${unmeasured}.`)]),
    text(
      `The figures are of ${load.measured_s} s, without warm-up and cool-down. Starts follow the plan and do not wait for answers, except in scenarios of fixed concurrency.`,
    ),
    kindTable(load),
  ];
  const tokens = tokenWords(load);
  if (tokens !== null) blocks.push(text(`${tokens}.`));
  const retried = load.total.retries;
  if (retried.calls > 0) {
    blocks.push(
      text(
        `${plural(retried.calls, 'call')} sent again: ${plural(retried.attempts, 'further attempt')} in all; each call counts once, with its last attempt.`,
      ),
    );
  }
  for (const { scenario, learnt = [] } of load.scenarios) {
    blocks.push(...learnt.map((what) => text(`${scenario}: ${LEARNT_WORDS[what] ?? `learnt: ${what}`}`)));
  }
  const cut = load.kinds.flatMap(({ kind, outcomes, aborted_usd }) => {
    const cost = aborted_usd === null ? 'what they cost is not known' : `charged ${usd(aborted_usd)}`;
    const costs = withBill ? `, ${cost}` : '';
    return outcomes.aborted === undefined ? [] : [`${kind} ${outcomes.aborted}${costs}`];
  });
  if (cut.length > 0) blocks.push(text(`Calls cut on purpose: ${cut.join('; ')}.`));
  const downloads = failedDownloadWords(load.failed_downloads);
  if (downloads !== null)
    blocks.push(
      text(`${downloads}. Their calls are no success${withBill ? '; what they cost is in the bill' : ''}.`),
    );
  const failures = failureRows(load);
  if (failures.length > 0) blocks.push(text('Failed calls and why'), failureTable(failures));
  const further = load.scenarios.flatMap((figures) => {
    const count = furtherFailures(figures);
    return count === 0 ? [] : [`${figures.scenario} ${count}`];
  });
  if (further.length > 0)
    blocks.push(text(`Failed calls of further codes, beyond the largest groups: ${further.join('; ')}.`));
  if (load.objectives.length > 0) blocks.push(text(OBJECTIVE_WORDS), objectiveTable(load));
  blocks.push({ type: 'charts' });
  return blocks;
}

function failureRows(load: LoadResult): readonly (readonly string[])[] {
  return load.scenarios.flatMap(({ scenario, failures }) =>
    failures.map(({ outcome, status, error_code, message, count }) => [
      scenario,
      String(count),
      outcome,
      status === null ? ABSENT : String(status),
      error_code ?? ABSENT,
      message ?? ABSENT,
    ]),
  );
}

function failureTable(rows: readonly (readonly string[])[]): Block {
  return table(['scenario', '#calls', 'outcome', '#status', 'error code', 'commonest message'], rows);
}

const OBJECTIVE_WORDS =
  'Objectives. The percentile of an objective is the time of one call; the other tables interpolate between two calls.';

const STATES = { met: '✓ met', missed: '✗ missed', unknown: '? not judged: costs not known' } as const;

function objectiveTable(load: LoadResult): Block {
  const rows = load.objectives.map((objective) => [
    objective.scenario,
    measureWords(objective),
    boundWords(objective),
    actualWords(objective),
    STATES[objectiveState(objective)],
  ]);
  return table(['scenario', 'measure', '#bound', '#measured', 'verdict'], rows);
}

function figureCells(figures: LoadFigures, calls: boolean, withBill: boolean): readonly Cell[] {
  const { planned, started, dropped, held, ok } = figures;
  return [
    ...[planned, started, dropped, held].map(String),
    ...(calls ? [String(callsOf(figures))] : []),
    String(ok),
    rateText(figures.achieved_rate),
    rateText(figures.asked_rate),
    rateText(figures.goodput),
    percent(figures.attainment),
    ...(withBill ? [perGoodCell(figures)] : throughputCells(figures)),
  ];
}

function throughputCells({ throughput }: LoadFigures): readonly Cell[] {
  return [throughput?.output_tokens, throughput?.per_stream].map((rate) => rateText(rate ?? null));
}

function perGoodCell({ usd_per_1000_good, usd_per_1000_good_at_most }: LoadFigures): Cell {
  const sign = usd_per_1000_good_at_most ? '≤ ' : '';
  const text = `${sign}${usdAbout(usd_per_1000_good, usd_per_1000_good_at_most)}`;
  const exact = `${sign}${usd(usd_per_1000_good)}`;
  return text === exact ? text : { text, exact };
}

function outcomeText(figures: LoadFigures): string {
  const parts = Object.entries(figures.outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  return parts.length === 0 ? ABSENT : parts.join(', ');
}

const STAGES: readonly (readonly [keyof StageFigures & ('queue' | 'run' | 'rest'), string])[] = [
  ['queue', 'queue'],
  ['run', 'run'],
  ['rest', 'hand in and fetch'],
];

/** Where the time of images and videos went that are made as jobs; empty where none was. */
function stageBlocks(load: LoadResult): readonly Block[] {
  const jobs = load.kinds.flatMap(({ kind, stages }) => (stages === null ? [] : [{ kind, stages }]));
  if (jobs.length === 0) return [];
  const rows = jobs.flatMap(({ kind, stages }) =>
    STAGES.flatMap(([stage, name]) => {
      const figures = stages[stage];
      return figures === null ? [] : [[kind, name, ...cells(figures), stages.polls.toFixed(1)]];
    }),
  );
  return [
    text(
      'Stages of jobs: queue is from accepted to first seen under way, run from there to first seen done, both as fine as the polls.',
    ),
    {
      type: 'bars',
      bars: {
        unit: 'ms, mean',
        rows: jobs.map(({ kind, stages }) => ({
          label: kind,
          parts: STAGES.flatMap(([stage, name]) => {
            const figures = stages[stage];
            return figures === null ? [] : [{ name, value: figures.mean }];
          }),
        })),
      },
    },
    table(['kind', 'stage', '#jobs', '#mean ms', '#p50', '#p95', '#p99', '#max', '#polls a job'], rows),
  ];
}

function cells({ count, mean, p50, p95, p99, max }: LatencyTable): readonly string[] {
  return [String(count), ...[mean, p50, p95, p99, max].map(ms)];
}
