import type { LoadFigures, LoadResult } from '../../contracts/load-result.ts';
import type { LatencyTables } from '../../contracts/time-figures.ts';
import { csvLine } from '../words/csv-line.ts';

type Column = readonly [name: string, read: (figures: LoadFigures) => number | null];

const COUNTS: readonly Column[] = [
  ['asked_rate', ({ asked_rate }) => asked_rate],
  ['achieved_rate', ({ achieved_rate }) => achieved_rate],
  ['planned', ({ planned }) => planned],
  ['started', ({ started }) => started],
  ['dropped', ({ dropped }) => dropped],
  ['held', ({ held }) => held],
  ['ok', ({ ok }) => ok],
  ['goodput', ({ goodput }) => goodput],
  ['attainment', ({ attainment }) => attainment],
  ['output_tokens', ({ throughput }) => throughput?.output_tokens ?? null],
  ['per_stream', ({ throughput }) => throughput?.per_stream ?? null],
];

export const LOAD_TIMES = ['ttft', 'itl', 'tpot', 'e2e'] as const satisfies readonly (keyof LatencyTables)[];
const PARTS = ['mean', 'p50', 'p90', 'p95', 'p99', 'max'] as const;

/** load.csv: the figures of each kind, and of all, under the names of result.json; times are milliseconds. */
export function loadCsv(load: LoadResult | null): string {
  const columns: readonly Column[] = [
    ...COUNTS,
    ...LOAD_TIMES.flatMap((time) =>
      PARTS.map((part): Column => [`${time}_${part}`, ({ latency }) => latency[time]?.[part] ?? null]),
    ),
  ];
  const row = (kind: string, figures: LoadFigures): readonly string[] => [
    kind,
    ...columns.map(([, read]) => String(read(figures) ?? '')),
  ];
  const rows =
    load === null ? [] : [...load.kinds.map((each) => row(each.kind, each)), row('total', load.total)];
  return [['kind', ...columns.map(([name]) => name)], ...rows].map(csvLine).join('');
}
