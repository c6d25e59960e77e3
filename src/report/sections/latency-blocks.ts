import type { LoadResult } from '../../contracts/load-result.ts';
import type { LatencyTables, StreamFigures } from '../../contracts/time-figures.ts';
import { ABSENT, ms, percent } from '../words/figure-text.ts';
import { type Block, table, text } from './report-document.ts';

const MEASURES: readonly (readonly [keyof LatencyTables, string])[] = [
  ['ttft', 'TTFT'],
  ['ttfo', 'TTFO'],
  ['tpot', 'TPOT'],
  ['itl', 'ITL'],
  ['e2e', 'e2e'],
  ['e2e_planned', 'e2e from plan'],
  ['schedule_lag', 'schedule lag'],
];

/** The times of each kind, and how its tokens came. */
export function latencyBlocks(load: LoadResult): readonly Block[] {
  const groups = [
    ...load.kinds.map(({ kind, latency, streams }) => ({ name: kind, latency, streams })),
    { name: 'total', ...load.total },
  ];
  const rows = groups.flatMap(({ name, latency }) =>
    MEASURES.flatMap(([key, title]) => {
      const figures = latency[key];
      if (figures === null) return [];
      const { count, min, mean, p50, p90, p95, p99, p999, max } = figures;
      return [[name, title, String(count), ...[min, mean, p50, p90, p95, p99, p999, max].map(ms)]];
    }),
  );
  return [
    text(
      'Milliseconds of calls that were ok; schedule lag of all calls. Percentiles interpolate between two values, those of objectives do not. The definitions stand below.',
    ),
    table(
      ['kind', 'time', '#calls', '#min', '#mean', '#p50', '#p90', '#p95', '#p99', '#p99.9', '#max'],
      rows,
    ),
    ...streamBlocks(groups),
  ];
}

/** What an inter-token latency means depends on how the tokens were packed. */
function streamBlocks(
  groups: readonly { readonly name: string; readonly streams: StreamFigures | null }[],
): readonly Block[] {
  const rows = groups.flatMap(({ name, streams }) => {
    if (streams === null) return [];
    const { count, tokens_per_event, longest_gap_ms, stalls, stalled, bursts } = streams;
    return [
      [
        name,
        String(count),
        String(tokens_per_event ?? ABSENT),
        ms(longest_gap_ms),
        String(stalls),
        String(stalled),
        percent(bursts / count),
      ],
    ];
  });
  if (rows.length === 0) return [];
  return [
    text('How the tokens came'),
    table(
      [
        'kind',
        '#streams',
        '#tokens per event',
        '#longest gap ms',
        '#stalls',
        '#with a stall',
        '#in one burst',
      ],
      rows,
    ),
  ];
}
