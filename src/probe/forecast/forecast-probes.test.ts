import { expect, test } from 'vitest';
import { parseAmount } from '../../core/amount.ts';
import { bookOf, modelOf } from '../../pricebook/price-book.test-support.ts';
import { probeForecastLines } from './forecast-lines.ts';
import { forecastProbes } from './forecast-probes.ts';
import { probeOf, targetOf } from './probe-target.test-support.ts';
import { runCost } from './run-cost.ts';

const USD = 10n ** 12n;
/** Per million tokens: $1 in, $2 out: 10⁶ and 2 × 10⁶ pico USD a token. */
const BOOK = bookOf([modelOf({ input_token: '1', output_token: '2' })]);

test('a run costs its tokens at most as many as asked for, and reserves a token for every byte', () => {
  const cost = runCost(BOOK, probeOf());
  const guard = (cost?.worst ?? 0n) - 1_000_000n * (50n + 1_024n) - 2_000_000n * 64n;
  // What rounding may add: never more than a millionth of a USD.
  expect(guard >= 0n && guard <= 1_000_000n).toBe(true);
  expect(cost?.expected).toBe(1_000_000n * 10n + 2_000_000n * 64n);
  expect(runCost(BOOK, probeOf({ max_tokens: 65 }))?.expected).toBe((cost?.expected ?? 0n) + 2_000_000n);
  expect(runCost(BOOK, probeOf({ model: 'unknown' }))).toBeNull();
  expect(runCost(BOOK, probeOf({ api: 'usage', model: null }))).toBeNull();
});

test('costs are told by hour, day and month of 30 days, and summed over the priced probes', () => {
  const free = probeOf({ name: 'usage', api: 'usage', model: null, prompt: null, max_tokens: null });
  const lost = probeOf({ name: 'chat-lost', model: 'lost' });
  const forecast = forecastProbes(targetOf([probeOf(), free, lost]), BOOK);
  // 0.000138 USD a run, 12 runs an hour.
  expect(forecast.expected).toEqual({ hour: '0.001656', day: '0.039744', month: '1.19232' });
  expect(forecast.probes).toMatchObject([
    {
      probe: 'chat-m',
      paid: true,
      unpriced: false,
      expected: forecast.expected,
      run: { expected: '0.000138' },
    },
    { probe: 'usage', paid: false, unpriced: false, expected: null, run: null },
    { probe: 'chat-lost', paid: true, unpriced: true, expected: null },
  ]);
  expect(forecastProbes(targetOf([probeOf()]), null).probes[0]?.unpriced).toBe(true);
});

test('a model without a price costs what is assumed, and says so', () => {
  const lost = probeOf({ name: 'chat-lost', model: 'lost' });
  const free = probeOf({ name: 'usage', api: 'usage', model: null, prompt: null, max_tokens: null });
  const target = { ...targetOf([probeOf(), lost, free]), assumed_run_usd: USD / 100n };
  const forecast = forecastProbes(target, BOOK);
  expect(forecast.probes).toMatchObject([
    { probe: 'chat-m', assumed: false, unpriced: false, run: { expected: '0.000138' } },
    { probe: 'chat-lost', assumed: true, unpriced: false, run: { expected: '0.01', worst: '0.01' } },
    { probe: 'usage', assumed: false, unpriced: false, run: null },
  ]);
  expect(probeForecastLines(forecast).find((line) => line.includes('chat-lost'))).toContain(
    '$0.010000 assumed',
  );
});

test('a part of 10⁻¹² USD is rounded up, never lost', () => {
  const forecast = forecastProbes(targetOf([probeOf({ interval_ms: 7_000_000 })]), BOOK);
  // 138,000,000 × 3,600 / 7,000 is 70,971,428.57…
  expect(forecast.expected.hour).toBe('0.000070971429');
});

test('the caps stop a probe once what is spent and its own reserve are above them', () => {
  const cheap = probeOf({ name: 'cheap', interval_ms: 10_000 });
  const dear = probeOf({ name: 'dear', max_tokens: 50_000 });
  const whale = probeOf({ name: 'whale', max_tokens: 100_000 });
  // Expected: cheap 0.04968 an hour, dear 12 × 0.10001 = 1.20012; reserves 0.0012 and 0.1011.
  const probes = [cheap, dear];
  const stopped = (hour: bigint, day: bigint, all = probes) =>
    forecastProbes(targetOf(all, { hour, day }), BOOK).probes.map((row) => row.stopped);
  expect(stopped(2n * USD, 100n * USD)).toEqual([[], []]);
  // Within the cap of an hour, but not with the reserve of the dear one.
  const [, late] = stopped((13n * USD) / 10n, 100n * USD);
  expect(late).toEqual([{ cap: 'hour', after_ms: expect.any(Number) }]);
  expect(late?.[0]?.after_ms).toBeGreaterThan(3_400_000);
  expect(late?.[0]?.after_ms).toBeLessThan(3_600_000);
  // Half of what is spent: both stop in the middle of the hour, the dear one first.
  const half = stopped((6n * USD) / 10n, 100n * USD);
  expect(half.map(([stop]) => Math.round((stop?.after_ms ?? 0) / 60_000))).toEqual([29, 24]);
  // A day holds half of what 24 hours would spend.
  expect(
    stopped(2n * USD, 15n * USD).map(([stop]) => [stop?.cap, Math.round((stop?.after_ms ?? 0) / 3_600_000)]),
  ).toEqual([
    ['day', 12],
    ['day', 12],
  ]);
  // What never fits is not counted as spent, and does not stop the others.
  expect(stopped(USD / 10n, 2n * USD, [cheap, whale])).toEqual([[], [{ cap: 'hour', after_ms: 0 }]]);
});

test('the cap of a month stops a probe once it is spent, in the months that last so long', () => {
  // Expected: 0.04968 an hour, 1.19232 a day.
  const cheap = probeOf({ name: 'cheap', interval_ms: 10_000 });
  const stopOf = (month: bigint) => {
    const limits = { hour: USD, day: 2n * USD, month };
    const forecast = forecastProbes(targetOf([cheap], limits), BOOK);
    return { stopped: forecast.probes[0]?.stopped, lines: probeForecastLines(forecast) };
  };
  const half = stopOf(18n * USD);
  expect(half.stopped).toEqual([{ cap: 'month', after_ms: expect.any(Number) }]);
  expect(Math.floor((half.stopped?.[0]?.after_ms ?? 0) / 86_400_000)).toBe(15);
  expect(half.lines).toContain('  budget: $1 an hour, $2 a day, $18 a month');
  expect(half.lines.join('\n')).toMatch(/cheap stops 15d2h into each month, by the cap of a month/);
  // 35.8 USD are 30 days: one of 31 is cut.
  expect(stopOf(35_800n * 10n ** 9n).lines.join('\n')).toMatch(
    /cheap stops 30d into each month that is longer, by the cap of a month/,
  );
  expect(stopOf(37n * USD).stopped).toEqual([]);
  expect(stopOf(USD / 1_000n).lines).toContain(
    '  cheap never runs: its reserve alone is above the cap of a month',
  );
});

test('each cap that stops a probe is told, a longer one at what the shorter ones let through', () => {
  // Expected: 1.20012 an hour, of which a day of 12 USD has room for ten; a month of 60 USD for five such days.
  const dear = probeOf({ name: 'dear', max_tokens: 50_000 });
  const lines = (limits: { hour: bigint; day: bigint; month: bigint }) =>
    probeForecastLines(forecastProbes(targetOf([dear], limits), BOOK)).filter((line) =>
      /stop|never/.test(line),
    );
  const capped = { hour: 2n * USD, day: 12n * USD, month: 60n * USD };
  expect(lines(capped)).toEqual([
    '  dear stops 9h54m into each day and 4d23h into each month, by their caps',
    expect.stringContaining('the first would stop 9h'),
  ]);
  expect(lines({ ...capped, hour: USD / 2n, day: 11n * USD })[0]).toBe(
    '  dear stops 19m into each hour, 21h47m into each day and 5d10h into each month, by their caps',
  );
  // One run fits into what is as much as its reserve.
  const [worst = ''] = forecastProbes(targetOf([dear]), BOOK).probes.map(({ run }) => run?.worst);
  const exact = parseAmount(worst) ?? 0n;
  expect(lines({ hour: exact, day: exact, month: exact })[0]).toMatch(/^ {2}dear stops 1m into each hour/);
  expect(lines({ hour: exact - 1n, day: exact, month: exact })[0]).toContain('never runs');
});

test('the table says what is free, what is paid and what the caps do', () => {
  const free = probeOf({ name: 'models', api: 'models', model: null, interval_ms: 60_000 });
  const dear = probeOf({ name: 'dear', max_tokens: 50_000 });
  const lines = probeForecastLines(
    forecastProbes(targetOf([free, probeOf(), dear], { hour: (6n * USD) / 10n, day: 100n * USD }), BOOK),
  );
  expect(lines).toEqual([
    'target main (https://host): 3 probes, 2 of them paid',
    '  free: models every 1m',
    '  probe   every  a run, at most    an hour      a day  30 days  worst: an hour      a day  30 days',
    expect.stringMatching(
      /^ {2}chat-m {5}5m {7}\$0\.00120\d {2}\$0\.001656 {2}\$0\.039744 {4}\$1\.20 {7}\$0\.0144/,
    ),
    expect.stringMatching(/^ {2}dear {7}5m {7}\$0\.10107\d {6}\$1\.21 {5}\$28\.81 {2}\$864\.09/),
    expect.stringMatching(/^ {2}total {27,}\$1\.21/),
    '  budget: $0.6 an hour, $100 a day',
    '  chat-m stops 29m into each hour, by the cap of an hour',
    '  dear stops 24m into each hour, by the cap of an hour',
    '  if every run cost its worst case, the first would stop 24m into each hour, by the cap of an hour',
  ]);
  const open = probeForecastLines(forecastProbes(targetOf([probeOf({ model: 'lost' })]), BOOK));
  expect(open.join('\n')).toContain('does not run: chat-m');
  expect(open.join('\n')).toContain('no budget yet');
  const priced = probeForecastLines(forecastProbes(targetOf([probeOf()]), BOOK)).join('\n');
  // A month may have 31 days, each of 0.039744 USD.
  expect(priced).toMatch(/usd_per_day of \$0\.039744 \(\S+\), usd_per_month, if any, of \$1\.24 \(\S+\)$/);
  const nothing = probeForecastLines(forecastProbes(targetOf([free]), null));
  expect(nothing.at(-1)).toBe('  costs nothing');
});
