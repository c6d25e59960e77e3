import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { figuresOf, loadOf, progressOf } from '../../../src/app/live/live.test-support.ts';
import { type LivePage, openLivePage } from '../../../src/app/live/page/live-page.ts';
import type { Failure, Progress } from '../../../src/app/notices/progress.ts';
import { PAID_KINDS } from '../../../src/core/call-kind.ts';
import type { ShownPage } from './shown-page.ts';

const CHAT = { kind: 'chat' as const, ...figuresOf({ failed: 0, dropped: 0 }) };
const CODES = [400, 401, 404, 408, 409, 429, 500, 502, 503, 504] as const;

const failure = (status: number, place: number): Failure => ({
  outcome: 'http_error',
  status,
  error_code: `a_code_as_long_as_gateways_have_them_${status}`,
  count: 900 - place * 80,
  kinds: Object.fromEntries(PAID_KINDS.map((kind) => [kind, 100 - place])),
});

/** Every kind, with figures as wide as they come, and more codes than are shown. */
const MANY = loadOf({
  kinds: PAID_KINDS.map((kind, place) => ({
    kind,
    ...figuresOf({
      asked_rate: 1234.5,
      started_rate: 1187.25,
      in_flight: 12_345,
      ok: 9_876_543,
      failed: place * 12_345,
      dropped: place * 321,
      ...(place < 3 ? {} : { ttft: null, tokens_per_s: null }),
    }),
  })),
  total: figuresOf({
    asked_rate: 9876,
    started_rate: 9498,
    in_flight: 98_760,
    ok: 79_012_344,
    failed: 345_660,
  }),
  errors: CODES.map(failure),
  errors_others: 4321,
  spend: { at_most_usd: '1234.567890123456', cap_usd: '2000' },
  client: { cpu_cores: 1.93, sched_lag_ms: 48.2, timer_lag_ms: 31.5, rows_lost: 17 },
  sample: { read: 200_000, rows: 950_000 },
});

const VERDICT: Progress['verdict'] = {
  tone: 'bad',
  headline: 'The bill does not hold: 3 findings at or above the gate. It charges at least $0.0125 too much.',
  lines: [
    'kind            planned  started  dropped   ok  starts/s  asked  TTFT p50  p99 ms  good calls/s',
    'chat                150      150        0  150      2.50   2.50       178     327          2.50',
    'money     98.99 % checked to the digit · expected $1.2345678 · charged $1.2470678 · difference +$0.0125',
  ],
  exit_codes: [5],
  report: 'reports/20261120T100000Z-0000/report.html',
};

const SETTLEMENT = { round: 3, records: 540, open_calls: 9, proving: true, left_ms: 41_000 };

/** The seconds of it until now, so that its lines have a course. */
function course(load: NonNullable<Progress['load']>): readonly Progress[] {
  const { total, spend, errors } = load;
  return Array.from({ length: 23 }, (_, second) => {
    const part = (second + 1) / 23;
    const wave = 1 + 0.2 * Math.sin(second);
    const times = (all: typeof total.e2e) =>
      all === null
        ? null
        : { ...all, p50_ms: all.p50_ms * wave, p95_ms: all.p95_ms * wave, p99_ms: all.p99_ms * wave };
    return progressOf({
      load: {
        ...load,
        elapsed_ms: (second + 1) * 1_000,
        total: {
          ...total,
          started_rate: second % 11 === 3 ? null : (total.started_rate ?? 0) * wave,
          in_flight: Math.round(total.in_flight * wave),
          ttft: times(total.ttft),
          e2e: times(total.e2e),
        },
        errors: errors.map((error) => ({ ...error, count: Math.round(error.count * part) })),
        spend: {
          ...spend,
          at_most_usd: part === 1 ? spend.at_most_usd : (Number(spend.at_most_usd) * part).toFixed(6),
        },
      },
    });
  });
}

const MOMENTS: readonly {
  readonly name: string;
  readonly frames: readonly Progress[];
  readonly heading: RegExp;
  readonly ends?: true;
}[] = [
  { name: 'before', frames: [], heading: /^Nothing runs yet$/ },
  { name: 'prepare', frames: [progressOf({ stage: 'prepare', load: null })], heading: /./ },
  {
    name: 'small',
    frames: course(loadOf({ kinds: [CHAT], total: CHAT, errors: [] })),
    heading: /^Load · 23 s of 60/,
  },
  { name: 'large', frames: course(MANY), heading: /^Load · 23 s of 60/ },
  {
    name: 'settle',
    frames: [...course(loadOf()), progressOf({ stage: 'settle', settlement: SETTLEMENT })],
    heading: /./,
  },
  {
    name: 'ended',
    frames: [...course(loadOf()), progressOf({ stage: 'done', settlement: SETTLEMENT, verdict: VERDICT })],
    heading: /^The bill does not hold/,
    ends: true,
  },
];

/** The page of `--ui` before the first figures, while calls are made and settled, and when the command has ended. */
export function livePages(): readonly ShownPage[] {
  return MOMENTS.map(({ name, frames, heading, ends }) => {
    let served: LivePage | null = null;
    return {
      name: `live-${name}`,
      async address() {
        const opened = await openLivePage({ host: '127.0.0.1', port: 0 }, () => undefined);
        onTestFinished(() => opened.close());
        for (const frame of frames) opened.push(frame);
        served = opened;
        return opened.url;
      },
      async expected(page: Page) {
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        if (ends !== true) return;
        await served?.close();
        await page.getByText('The command has ended.').waitFor();
      },
    };
  });
}
