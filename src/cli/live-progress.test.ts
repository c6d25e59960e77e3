import { expect, test } from 'vitest';
import type { StateLine } from '../core/ledger-lines.ts';
import { scenarioStateOf, stateOf } from '../core/plan.test-support.ts';
import { liveProgress, progressLine } from './live-progress.ts';
import type { Terminal } from './terminal.ts';

function state(elapsedMs: number, over: Partial<StateLine> = {}): StateLine {
  const scenario = { planned: 10, started: 9, dropped: 1, held: 0, in_flight: 2, finished: 7, ok: 6 };
  return stateOf({
    elapsed_ms: elapsedMs,
    scenarios: [
      scenarioStateOf({ scenario: 'chat', ...scenario }),
      scenarioStateOf({ scenario: 'video', ...scenario }),
    ],
    reserved_usd: '0.5',
    final: false,
    ...over,
  });
}

function terminal(live: boolean): Terminal & { readonly printed: string[]; readonly drawn: string[] } {
  const printed: string[] = [];
  const drawn: string[] = [];
  return {
    printed,
    drawn,
    out: (line) => printed.push(line),
    err: (line) => printed.push(line),
    redraw: (line) => drawn.push(line),
    live,
    width: 100,
    env: {},
  };
}

test('the line sums the scenarios and shows spend against the cap', () => {
  expect(progressLine(state(12_400), 60_000, '2')).toBe(
    '12 s of 60  started 18 of 20 due  in flight 4  calls ok 12  failed 2  dropped 2  spent at most $0.5 of $2',
  );
  expect(progressLine(state(1_000, { halted: 'spend_cap', reserved_usd: null }), 60_000, '2')).toContain(
    'no further starts: spend_cap',
  );
});

test('after the planned time the line says what was planned, and after a halt that not all of it was due', () => {
  expect(progressLine(state(60_000), 60_000, null)).toContain('60 s of 60  started 18 of 20 due');
  expect(progressLine(state(88_000), 60_000, null)).toContain('88 s (60 planned)  started 18 of 20 due');
  const halted = progressLine(state(1_000, { halted: 'spend_cap' }), 60_000, null);
  expect(halted).toContain('1 s of 60  started 18 of 20 planned');
});

test('what was held and what was not sent are no failures', () => {
  const chat = { planned: 10, started: 6, dropped: 0, held: 4, finished: 3, ok: 3, not_sent: 3 };
  const scenarios = [scenarioStateOf(chat), scenarioStateOf({ scenario: 'video', not_sent: null })];
  expect(progressLine(state(5_000, { scenarios, reserved_usd: null }), 60_000, null)).toBe(
    '5 s of 60  started 6 of 10 due  in flight 0  calls ok 3  failed 0  dropped 0  held 4  not sent 3',
  );
});

test('a call that is made again fails once at most, and one that was cut on purpose does not', () => {
  const chat = { planned: 9, started: 9, finished: 12, ok: 4, aborted: 2, retried: 5 };
  const old = scenarioStateOf({ scenario: 'old', finished: 3, ok: 2, aborted: null, retried: null });
  expect(progressLine(state(5_000, { scenarios: [scenarioStateOf(chat), old] }), 60_000, null)).toContain(
    'calls ok 6  failed 2  dropped 0  aborted 2  spent',
  );
});

test('without a terminal a plain line is printed every five seconds and at the end', () => {
  const plain = terminal(false);
  const show = liveProgress(plain, 60_000, null);
  for (let second = 0; second <= 11; second += 1) show(state(second * 1_000));
  show(state(11_500, { final: true }));
  expect(plain.printed.map((line) => line.split(' ')[0])).toEqual(['0', '5', '10', '12']);
  expect(plain.drawn).toEqual([]);
});

test('on a terminal each state redraws one line, and only the last is printed', () => {
  const live = terminal(true);
  const show = liveProgress(live, 60_000, null);
  show(state(1_000));
  show(state(2_000));
  show(state(3_000, { final: true }));
  expect({ drawn: live.drawn.length, printed: live.printed.length }).toEqual({ drawn: 2, printed: 1 });
});
