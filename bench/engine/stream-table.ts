import { spreadOf } from './statistics.ts';
import type { StreamFigures } from './stream-figures.ts';
import type { StreamResult } from './suites/streams.ts';

type Column = readonly [title: string, digits: number, of: (figures: StreamFigures) => number | null];

const COLUMNS: readonly Column[] = [
  ['CPU s/1000', 2, (figures) => figures.cpu_s_per_1000],
  ['TTFT err p50', 1, (figures) => figures.ttft_error_p50_ms],
  ['TTFT err p99', 1, (figures) => figures.ttft_error_p99_ms],
  ['ITL err p99', 1, (figures) => figures.itl_error_p99_ms],
  ['mean-ITL err p99', 2, (figures) => figures.mean_itl_error_p99_ms],
  ['streams/s', 0, (figures) => figures.streams_per_s],
  ['PSS MB', 0, (figures) => figures.peak_pss_mb],
  ['HWM MB', 0, (figures) => figures.hwm_mb],
  ['most open', 0, (figures) => figures.most_open],
  ['lost', 0, (figures) => figures.asked - figures.completed],
  ['mock CPU s', 1, (figures) => figures.server_cpu_s],
  ['other CPU s', 1, (figures) => figures.other_cpu_s],
];

/** One row a client of a level: min / median / max of the repetitions, and CPU against the floor of the same level. */
export function streamRows(results: readonly StreamResult[], level: number): string[][] {
  const own = results.filter((result) => result.level === level);
  const floorCpu = medianCpu(own.find(({ client }) => client === 'floor'));
  return [
    ['client', '× floor', ...COLUMNS.map(([title]) => title)],
    ...own.map((result) => {
      const cpu = medianCpu(result);
      const ratio = cpu === null || floorCpu === null ? '–' : (cpu / floorCpu).toFixed(2);
      return [result.client, ratio, ...COLUMNS.map((column) => cell(result.runs, column))];
    }),
  ];
}

function medianCpu(result: StreamResult | undefined): number | null {
  return result === undefined
    ? null
    : (spreadOf(result.runs.map((run) => run.cpu_s_per_1000))?.median ?? null);
}

function cell(runs: readonly StreamFigures[], [, digits, of]: Column): string {
  return spreadText(runs.map(of), digits);
}

/** `min / median / max`, one number where they print alike. */
export function spreadText(values: readonly (number | null)[], digits: number): string {
  const spread = spreadOf(values);
  if (spread === null) return '–';
  const texts = [spread.min, spread.median, spread.max].map((value) => value.toFixed(digits));
  return new Set(texts).size === 1 ? (texts[0] ?? '') : texts.join(' / ');
}
