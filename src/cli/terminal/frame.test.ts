import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { loadOf, progressOf } from '../../app/live/live.test-support.ts';
import { frame } from './frame.ts';

const shown = (columns: number, progress = progressOf(), rows = 30): string =>
  `\n${frame(progress, { columns, rows }, false).join('\n')}\n`;

test('120 columns hold every column', () => {
  expect(shown(120)).toMatchInlineSnapshot(`
    "
    load · 23 s of 60 · 37 s left · audit gateway.example
    [#######################-------------------------------------] 38 %
    kind      asked/s  got/s  in flight  ok  failed  dropped  TTFT p50  TTFT p95  e2e p50  e2e p95  tokens/s
    chat         2.50   2.40          3  52       2        1       178       327      813     1203       310
    messages     2.50   2.40          3  52       0        0       178       327      813     1203       310
    image        2.50   2.40          3  52      12        1         –         –      813     1203         –
    video        0.15   0.15          2   3       0        0         –         –     9202     9202         –
    total        2.50   2.40          3  52      14        1       178       327      813     1203       310
    error  12 × 429 rate_limited (image 12)
    error  2 × timeout_idle (chat 2)
    goal ✓ chat: TTFT p95 327 ms, at most 500 ms
    goal ✗ image: failed 18.75 %, at most 1 %
    money  spent at most $0.5 of $2 (25 %)
    client start lag 2.10 ms · CPU 0.231 cores
    times in ms and tokens: of calls that ended in the last 10 s
    "
  `);
});

test('80 columns leave out the least important ones', () => {
  expect(shown(80)).toMatchInlineSnapshot(`
    "
    load · 23 s of 60 · 37 s left · audit gateway.example
    [#######################-------------------------------------] 38 %
    kind      asked/s  got/s  in flight  ok  failed  TTFT p95  e2e p95  tokens/s
    chat         2.50   2.40          3  52       2       327     1203       310
    messages     2.50   2.40          3  52       0       327     1203       310
    image        2.50   2.40          3  52      12         –     1203         –
    video        0.15   0.15          2   3       0         –     9202         –
    total        2.50   2.40          3  52      14       327     1203       310
    error  12 × 429 rate_limited (image 12)
    error  2 × timeout_idle (chat 2)
    goal ✓ chat: TTFT p95 327 ms, at most 500 ms
    goal ✗ image: failed 18.75 %, at most 1 %
    money  spent at most $0.5 of $2 (25 %)
    client start lag 2.10 ms · CPU 0.231 cores
    times in ms and tokens: of calls that ended in the last 10 s
    "
  `);
});

test('40 columns keep what fails, TTFT and the rate', () => {
  expect(shown(40)).toMatchInlineSnapshot(`
    "
    load · 23 s of 60 · 37 s left · audit …
    [###########--------------------] 38 %
    kind      ok  failed  TTFT p95  e2e p95
    chat      52       2       327     1203
    messages  52       0       327     1203
    image     52      12         –     1203
    video      3       0         –     9202
    total     52      14       327     1203
    error  12 × 429 rate_limited (image 12)
    error  2 × timeout_idle (chat 2)
    goal ✓ chat: TTFT p95 327 ms, at most …
    goal ✗ image: failed 18.75 %, at most …
    money  spent at most $0.5 of $2 (25 %)
    client start lag 2.10 ms · CPU 0.231 c…
    times in ms and tokens: of calls that …
    "
  `);
});

test('few rows keep the time, the total and the money', () => {
  expect(shown(80, progressOf(), 10)).toMatchInlineSnapshot(`
    "
    load · 23 s of 60 · 37 s left · audit gateway.example
    [#######################-------------------------------------] 38 %
    kind      asked/s  got/s  in flight  ok  failed  TTFT p95  e2e p95  tokens/s
    total        2.50   2.40          3  52      14       327     1203       310
    error  12 × 429 rate_limited (image 12)
    error  2 × timeout_idle (chat 2)
    goal ✓ chat: TTFT p95 327 ms, at most 500 ms
    goal ✗ image: failed 18.75 %, at most 1 %
    money  spent at most $0.5 of $2 (25 %)
    "
  `);
});

test('while the bill is settled, its progress and the most time left stand first', () => {
  const settlement = { round: 3, records: 812, open_calls: 4, proving: false, left_ms: 41_600 };
  const [first] = frame(progressOf({ stage: 'settle', settlement }), { columns: 110, rows: 30 }, false);
  expect(first).toBe(
    'settling the bill · at most 42 s left · 812 records read, 4 calls still open · audit gateway.example',
  );
});

test('a sample is called one, and a halt says why', () => {
  const load = loadOf({ sample: { read: 500, rows: 2_000 }, halted: 'spend_cap', left_ms: null });
  const text = shown(100, progressOf({ load }));
  expect(text).toContain('sample times and tokens of a sample: 500 of 2000 rows');
  expect(text).toContain('23 s of 60 · no further starts: spend_cap');
});

test('never wider or taller than the terminal, whatever it is and whatever a target says', () => {
  const code = '写真\u001b[2J\u202e'.repeat(40);
  const error = {
    outcome: 'http_error' as const,
    status: 400,
    error_code: code,
    count: 9,
    kinds: { chat: 9 },
  };
  const load = loadOf({ errors: Array.from({ length: 10 }, () => error), errors_others: 3 });
  const progress = progressOf({ load, target: code });
  for (let columns = 1; columns <= 200; columns += 1) {
    for (const rows of [1, 2, 3, 5, 8, 11, 15, 40]) {
      const lines = frame(progress, { columns, rows }, false);
      expect(lines.length).toBeLessThan(Math.max(2, rows));
      for (const line of lines) {
        expect(line.length).toBeLessThan(columns);
        expect(line).toMatch(/^[ -~×·–…✓✗]*$/u);
      }
    }
  }
});

test('colours are escape sequences that end where they began, and none without them', () => {
  const size = { columns: 120, rows: 30 };
  const plain = frame(progressOf(), size, false);
  const coloured = frame(progressOf(), size, true);
  expect(coloured.join('')).toContain('\u001b[31m');
  expect(plain.join('')).not.toContain('\u001b');
  expect(coloured.map(stripVTControlCharacters)).toEqual(plain);
});
