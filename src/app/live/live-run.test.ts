import { expect, onTestFinished, test, vi } from 'vitest';
import { frame } from '../../cli/terminal/frame.ts';
import type { Terminal } from '../../cli/terminal/terminal.ts';
import { jsonTerminal } from '../../cli/terminal/terminal.ts';
import { planOf, scenarioOf, workloadOf } from '../../workload/plan.test-support.ts';
import type { Notices } from '../notices/notices.ts';
import { type Progress, progressLineSchema } from '../notices/progress.ts';
import { UNWATCHED } from '../notices/unwatched.test-support.ts';
import { twoKindsAt } from './live.test-support.ts';
import { LiveRun } from './live-run.ts';

const PLAN = planOf({
  workload: workloadOf({
    duration_ms: 60_000,
    scenarios: [scenarioOf(), scenarioOf({ name: 'video', kind: 'video' })],
  }),
});

interface Recorded extends Terminal {
  readonly printed: string[];
  readonly drawn: (readonly string[])[];
}

function terminal(live: boolean): Recorded {
  const printed: string[] = [];
  const drawn: (readonly string[])[] = [];
  return {
    printed,
    drawn,
    out: (line) => printed.push(line),
    err: (line) => printed.push(line),
    ...UNWATCHED,
    show: (progress) => {
      const size = { columns: 80, rows: 24 };
      if (live) drawn.push(progress === null ? [] : frame(progress, size, false));
    },
    shows: live ? 'frames' : null,
    width: 100,
    env: {},
  };
}

function runOn(notices: Notices, pushed: Progress[] = []): LiveRun {
  const page = { push: (progress: Progress) => pushed.push(progress) };
  const run = new LiveRun({ runId: 'run-1', command: 'audit', target: 'test', notices, page });
  onTestFinished(() => run.close());
  return run;
}

const round = { round: 1, records: 7, open_calls: 2, proving: false, left_ms: 30_000 };

test('without a terminal a line is printed every five seconds and at the end, and one for each news of the bill', () => {
  const plain = terminal(false);
  const run = runOn(plain);
  const { onState } = run.load(PLAN, 'i0');
  for (let second = 0; second <= 11; second += 1) onState(twoKindsAt(second * 1_000));
  onState(twoKindsAt(11_500, { final: true }));
  for (const records of [7, 7, 9]) run.settling({ ...round, records });
  expect(plain.printed.map((line) => line.split(' ')[0])).toEqual([
    '0',
    '5',
    '10',
    '12',
    'settling:',
    'settling:',
  ]);
  expect(plain.printed.at(-1)).toBe('settling: 9 records read, 2 calls still open');
  expect(plain.drawn).toEqual([]);
});

test('on a terminal each state redraws the frame, only the last is printed, and the frame goes at the end', () => {
  const live = terminal(true);
  const run = runOn(live);
  const { onState } = run.load(PLAN, 'i0');
  const before = live.drawn.length;
  onState(twoKindsAt(1_000));
  onState(twoKindsAt(2_000, { final: true }));
  expect([live.drawn.length - before, live.printed.length]).toEqual([2, 1]);
  run.settling(round);
  expect(live.drawn.at(-1)?.[0]).toContain('settling the bill · at most 30 s left · 7 records read');
  run.close();
  expect(live.drawn.at(-1)).toEqual([]);
});

test('between rounds of reads the time left goes on', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const pushed: Progress[] = [];
  const run = runOn(terminal(false), pushed);
  run.settling(round);
  vi.advanceTimersByTime(3_000);
  expect(pushed.flatMap(({ settlement }) => settlement?.left_ms ?? [])).toEqual([
    30_000, 29_000, 28_000, 27_000,
  ]);
});

test('for programs every line of stderr is an object of the schema, also what is said in words', () => {
  const host = terminal(true);
  const json = jsonTerminal(host);
  const pushed: Progress[] = [];
  const run = runOn(json, pushed);
  json.err('draining: \u009b2J');
  const { onState } = run.load(PLAN, 'i0');
  onState(twoKindsAt(1_000));
  onState(twoKindsAt(2_000, { final: true }));
  run.settlementBegins();
  run.settling(round);
  run.judging();
  const lines = host.printed.map((line) => progressLineSchema.parse(JSON.parse(line)));
  const named = lines.map((line) => (line.event === 'note' ? line.text : line.stage));
  expect(named).toEqual([
    'prepare',
    'draining: \u009b2J',
    'load',
    'load',
    'load',
    'settle',
    'settle',
    'judge',
  ]);
  expect(lines.filter(({ event }) => event === 'progress')).toEqual(pushed);
  expect(host.drawn).toEqual([]);
});
