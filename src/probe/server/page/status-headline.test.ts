import { expect, test } from 'vitest';
import { probeViewOf, runOf, targetOf, VIEW_NOW, viewOf } from '../../view/daemon-view.test-support.ts';
import type { ProbeView } from '../../view/daemon-view.ts';
import { statusHeadline } from './status-headline.ts';

const well = (name: string): ProbeView => probeViewOf({ name });
const failing = (name: string): ProbeView =>
  probeViewOf({ name, runs: [runOf({}), runOf({ error_type: 'dns', blame: 'network' })] });
const held = probeViewOf({ name: 'h', held: 'budget' });
const waiting = probeViewOf({ name: 'w', runs: [] });
const endedBefore = (ms: number) => runOf({ ended_ms: VIEW_NOW - ms, duration_ms: 5_000 });
const late = probeViewOf({ name: 'l', runs: [endedBefore(400_000), endedBefore(185_001)] });
const due = probeViewOf({ name: 'd', runs: [endedBefore(185_000)] });

test.each([
  [[well('a')], 'good', 'The one probe of main is well'],
  [[well('a'), due], 'good', 'All 2 probes of main are well'],
  [[well('a'), failing('b')], 'bad', '1 of 2 probes fails: b of main'],
  [
    ['a', 'b', 'c', 'd', 'e'].map(failing),
    'bad',
    '5 of 5 probes fail: a of main, b of main, c of main and 2 more',
  ],
  [[well('a'), well('b'), held], 'warning', 'Of 3 probes 1 is held; the others are well'],
  [[well('a'), late], 'warning', 'Of 2 probes 1 is late; the other one is well'],
  [[waiting, waiting], 'warning', 'Of 2 probes 2 are yet to run'],
  [
    [well('a'), late, held, waiting],
    'warning',
    'Of 4 probes 1 is late, 1 is held, 1 is yet to run; the other one is well',
  ],
  [
    [probeViewOf({ held: 'budget', runs: [runOf({ error_type: 'tls' })] })],
    'bad',
    '1 of 1 probe fails: chat-aspen-mini of main',
  ],
  [[], 'warning', 'No probe is configured: nothing is watched'],
])('%#: %s %s', (probes, tone, text) => {
  expect(statusHeadline(viewOf({ targets: [targetOf({ probes })] }))).toEqual({ tone, text });
});

test('counts over all targets', () => {
  const targets = [
    targetOf({ probes: [well('a'), well('b')] }),
    targetOf({ name: 'second', probes: [well('a')] }),
  ];
  expect(statusHeadline(viewOf({ targets })).text).toBe('All 3 probes of 2 targets are well');
});

test('is never well while the daemon is not ready', () => {
  const starting = viewOf({ state: 'starting', not_ready: 'the task journal is read' });
  expect(statusHeadline(starting)).toEqual({ tone: 'warning', text: 'Not ready (the task journal is read)' });
  expect(statusHeadline(viewOf({ not_ready: 'no disk' })).text).toBe('Not ready (no disk)');
  expect(statusHeadline(viewOf({ state: 'draining' })).text).toBe('Draining: no further run is started');
});
