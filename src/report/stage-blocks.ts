import type { LatencyTable, LoadResult, StageFigures } from '../core/result.ts';
import { ms } from './figure-text.ts';
import { type Block, table, text } from './report-document.ts';

const STAGES: readonly (readonly [keyof StageFigures & ('queue' | 'run' | 'rest'), string])[] = [
  ['queue', 'queue'],
  ['run', 'run'],
  ['rest', 'hand in and fetch'],
];

/** Where the time of images and videos went that are made as jobs; empty where none was. */
export function stageBlocks(load: LoadResult): readonly Block[] {
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
