import { expect, test } from 'vitest';
import {
  billOf,
  probeViewOf,
  runOf,
  targetOf,
  VIEW_NOW,
  viewOf,
} from '../../view/daemon-view.test-support.ts';
import type { ProbeView } from '../../view/daemon-view.ts';
import { statusHeadline } from './status-headline.ts';

const GOOD_MS = VIEW_NOW - 20_000;
const works = (name: string): ProbeView => probeViewOf({ name });
/** Fails, and another probe had a good answer since. */
const failing = (name: string): ProbeView =>
  probeViewOf({
    name,
    runs: [runOf({ ended_ms: GOOD_MS - 1, error_type: 'dns', blame: 'network' })],
    last_success_ms: null,
  });
const failingNow = (name: string, last_success_ms: number | null = null): ProbeView =>
  probeViewOf({
    name,
    runs: [runOf({ ended_ms: VIEW_NOW - 1_000, error_type: 'timeout_total' })],
    last_success_ms,
  });
/** A run is under way since so many ms. */
const waiting = (name: string, ms: number): ProbeView =>
  probeViewOf({ name, running_since_ms: VIEW_NOW - ms });
const paused = probeViewOf({ name: 'p', held: 'budget' });
const fresh = probeViewOf({ name: 'n', runs: [], last_success_ms: null });
const endedBefore = (ms: number) => runOf({ ended_ms: VIEW_NOW - ms, duration_ms: 5_000 });
const overdue = probeViewOf({ name: 'l', runs: [endedBefore(400_000), endedBefore(185_001)] });
const due = probeViewOf({ name: 'd', runs: [endedBefore(185_000)] });

test.each([
  [[works('a')], 'good', 'The probe of main works'],
  [[works('a'), due], 'good', 'All 2 probes of main work'],
  [[works('a'), failing('b')], 'bad', '1 of 2 probes fails: b of main'],
  [
    [works('z'), ...['a', 'b', 'c', 'd', 'e'].map(failing)],
    'bad',
    '5 of 6 probes fail: a of main, b of main, c of main and 2 more',
  ],
  [[works('a'), works('b'), paused], 'warning', '2 of 3 probes work; 1 is paused'],
  [[works('a'), overdue], 'warning', '1 of 2 probes works; 1 is overdue'],
  [[works('a'), works('b'), fresh], 'good', '2 of 3 probes work; 1 has not run yet'],
  [[fresh, fresh], 'neutral', 'No probe has run yet. Free reads start within 30 seconds'],
  [
    [works('a'), overdue, paused, fresh],
    'warning',
    '1 of 4 probes works; 1 is paused, 1 is overdue and 1 has not run yet',
  ],
  [
    [
      works('z'),
      probeViewOf({
        held: 'budget',
        last_success_ms: null,
        runs: [runOf({ ended_ms: 1, error_type: 'tls' })],
      }),
    ],
    'bad',
    '1 of 2 probes fails: chat-aspen-mini of main',
  ],
  [[], 'warning', 'No probe is configured, so nothing is monitored'],
])('%#: %s %s', (probes, tone, text) => {
  expect(statusHeadline(viewOf({ targets: [targetOf({ probes })] }))).toEqual({ tone, text });
});

test('a target that is frozen is told as one failure, before its requests time out and after', () => {
  const three = ['a', 'b', 'c'];
  const text = (probes: readonly ProbeView[]) =>
    statusHeadline(viewOf({ targets: [targetOf({ probes }), targetOf({ name: 'second' })] })).text;
  expect(text(three.map((name) => waiting(name, 11_000)))).toBe('No request to main has succeeded for 20 s');
  expect(text(three.map((name) => failingNow(name, GOOD_MS)))).toBe(
    'No request to main has succeeded for 20 s',
  );
  expect(text([waiting('a', 11_000), failingNow('b', GOOD_MS), failingNow('c', 1), works('d')])).toBe(
    'No request to main has succeeded for 20 s',
  );
  expect(text(three.map((name) => failingNow(name)))).toBe(
    'No request to main has succeeded since the daemon started',
  );
  // Two of many may be one model.
  expect(text([waiting('a', 11_000), failingNow('b', GOOD_MS), works('d')])).toBe(
    '1 of 4 probes fails: b of main. 1 of 4 probes waits for an answer: a of main',
  );
  // Began before the last good answer of another probe, or has not waited long.
  expect(text([waiting('a', 21_000), waiting('b', 21_000), waiting('c', 21_000)])).toBe(
    '3 of 4 probes wait for an answer: a of main, b of main, c of main',
  );
  expect(text(three.map((name) => waiting(name, 9_000)))).toBe('All 4 probes of 2 targets work');
});

test('waits longer for a probe that is always slow, for a picture, and as long as it takes for a task', () => {
  const at = (changes: Partial<ProbeView>) =>
    statusHeadline(
      viewOf({
        targets: [targetOf({ probes: [probeViewOf({ running_since_ms: VIEW_NOW - 14_000, ...changes })] })],
      }),
    ).tone;
  expect(at({})).toBe('bad');
  expect(at({ runs: [runOf({ duration_ms: 5_000 })] })).toBe('good');
  expect(at({ api: 'image' })).toBe('good');
  expect(at({ api: 'video', running_since_ms: VIEW_NOW - 600_000 })).toBe('good');
  // A start was left out since that run goes on: the probe is not paused.
  expect(at({ held: 'overlap' })).toBe('bad');
  expect(at({ held: 'overlap', running_since_ms: VIEW_NOW - 9_000 })).toBe('good');
});

test('tells the findings of the bill first, beside what fails', () => {
  const audit = billOf({ findings: 180 });
  expect(
    statusHeadline(viewOf({ targets: [targetOf({ audit, probes: [works('a'), failing('b')] })] })),
  ).toEqual({
    tone: 'bad',
    text: 'The bill of main has 180 findings. 1 of 2 probes fails: b of main',
  });
  expect(statusHeadline(viewOf({ targets: [targetOf({ audit: billOf({}) })] })).tone).toBe('good');
});

test('counts over all targets', () => {
  const targets = [
    targetOf({ probes: [works('a'), works('b')] }),
    targetOf({ name: 'second', probes: [works('a')] }),
  ];
  expect(statusHeadline(viewOf({ targets })).text).toBe('All 3 probes of 2 targets work');
});

test('is never good while the daemon is not ready', () => {
  const starting = viewOf({ state: 'starting', not_ready: 'the task journal is read' });
  expect(statusHeadline(starting)).toEqual({
    tone: 'warning',
    text: 'The daemon is not ready yet: the task journal is read',
  });
  expect(statusHeadline(viewOf({ not_ready: 'no disk' })).text).toBe('The daemon is not ready yet: no disk');
  expect(statusHeadline(viewOf({ state: 'draining' })).text).toBe(
    'The daemon is stopping and starts no more runs',
  );
});
