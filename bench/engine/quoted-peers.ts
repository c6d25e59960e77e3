/**
 * Figures of peers that are too large or cannot be had for each run, quoted: measured once, with the same load, mock and
 * pinning, on another machine (2 cores of an AMD EPYC, KVM guest, 23 GiB; Go 1.26.8, Python 3.11.7, 3.12.1 for
 * inference-perf). Medians of three repetitions, of one where `once` says so. One core is hard on AIPerf and GuideLLM, which are multi-process
 * by design: their figures are per core, not their limit. Compare orders of magnitude, not digits.
 */
interface QuotedPeer {
  readonly name: string;
  readonly version: string;
  /** At 500, 1,000 and 2,000 streams, all started at once; null where it did not get there or does not tell. */
  readonly cpu_s_per_1000: readonly [number, number, number | null];
  readonly ttft_error_p50_ms: readonly [number, number, number | null];
  readonly itl_error_p99_ms: readonly [number, number, number] | null;
  readonly mean_itl_error_p99_ms: readonly [number, number, number | null];
  /** Of 424, 847 and 1,695 that were possible. */
  readonly streams_per_s: readonly [number, number, number];
  readonly peak_mb: readonly [number, number, number];
  readonly most_open: readonly [number, number, number];
  /** Levels that were run once. */
  readonly once: readonly number[];
  readonly plain_per_s: number | null;
  /** p99 of 500/s: gap error and deviation, ms. */
  readonly rate_p99_ms: readonly [number, number] | null;
}

export const QUOTED_LEVELS = [500, 1000, 2000] as const;

const QUOTED_PEERS: readonly QuotedPeer[] = [
  {
    name: 'xk6-sse',
    version: 'k6 v2 port of 2026-08 on k6 v2.2.0',
    cpu_s_per_1000: [2.1, 1.56, 1.55],
    ttft_error_p50_ms: [27.4, 116.4, 471],
    itl_error_p99_ms: [72.9, 335.3, 1356.3],
    mean_itl_error_p99_ms: [2.2, 7.8, 39.3],
    streams_per_s: [392, 656, 781],
    peak_mb: [182, 390, 770],
    most_open: [500, 1000, 2000],
    once: [],
    plain_per_s: null,
    rate_p99_ms: null,
  },
  {
    name: 'inference-perf',
    version: '0.7.0',
    cpu_s_per_1000: [4.13, 3.51, 3.27],
    ttft_error_p50_ms: [0.6, 1.2, 17.5],
    itl_error_p99_ms: [33.9, 134.8, 146.2],
    mean_itl_error_p99_ms: [3.1, 5.5, 14.4],
    streams_per_s: [337, 582, 518],
    peak_mb: [374, 424, 553],
    most_open: [500, 1000, 2000],
    once: [],
    plain_per_s: 1518,
    rate_p99_ms: [7.55, 151.6],
  },
  {
    name: 'AIPerf',
    version: '0.13.0',
    cpu_s_per_1000: [6.84, 5.64, 4.71],
    ttft_error_p50_ms: [55.6, 71.5, 63.9],
    itl_error_p99_ms: [200.9, 244.9, 245.9],
    mean_itl_error_p99_ms: [10.8, 10.2, 15.6],
    streams_per_s: [221, 249, 275],
    peak_mb: [458, 508, 563],
    most_open: [500, 850, 1065],
    once: [],
    plain_per_s: 666,
    rate_p99_ms: [3.31, 13.8],
  },
  {
    name: 'GuideLLM',
    version: '0.8.1',
    cpu_s_per_1000: [14.74, 12.83, 9.83],
    ttft_error_p50_ms: [170.4, 213.2, null],
    itl_error_p99_ms: null,
    mean_itl_error_p99_ms: [2.1, 14, null],
    streams_per_s: [145, 141, 134],
    peak_mb: [1575, 1611, 1692],
    most_open: [239, 243, 282],
    once: [2000],
    plain_per_s: 260,
    rate_p99_ms: [19.75, 7039.8],
  },
];

/** Rows of one level. */
export function quotedRows(level: (typeof QUOTED_LEVELS)[number]): string[][] {
  const at = QUOTED_LEVELS.indexOf(level);
  const shown = (figures: readonly (number | null)[] | null, digits: number): string =>
    figures?.[at]?.toFixed(digits) ?? '–';
  return [
    [
      'quoted, not of this run',
      'CPU s/1000',
      'TTFT err p50',
      'ITL err p99',
      'mean-ITL err p99',
      'streams/s',
      'PSS MB',
      'most open',
    ],
    ...QUOTED_PEERS.map((peer) => [
      `${peer.name} ${peer.version}${peer.once.includes(level) ? ' (once)' : ''}`,
      shown(peer.cpu_s_per_1000, 2),
      shown(peer.ttft_error_p50_ms, 1),
      shown(peer.itl_error_p99_ms, 1),
      shown(peer.mean_itl_error_p99_ms, 2),
      shown(peer.streams_per_s, 0),
      shown(peer.peak_mb, 0),
      shown(peer.most_open, 0),
    ]),
  ];
}
