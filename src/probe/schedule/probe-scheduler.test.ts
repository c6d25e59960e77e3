import { expect, test } from 'vitest';
import { settled } from '../fake-clock.test-support.ts';
import { ENDED, probeOf, ScheduleBench, targetOf } from './schedule-bench.test-support.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

function one(interval_ms = MINUTE, concurrency = 4) {
  return { targets: [targetOf('main', concurrency, [probeOf('a', interval_ms)])] };
}

test('starts count from the plan, not from the end of a run', async () => {
  const bench = new ScheduleBench();
  bench.lengths = { a: 40_000 };
  bench.scheduler.replace(one());
  await bench.clock.advance(1_000 * MINUTE);
  const starts = bench.startsOf('a');
  expect(starts.length).toBeGreaterThanOrEqual(999);
  expect(starts.length).toBeLessThanOrEqual(1_001);
  expect(bench.skipped).toEqual([]);
  expect(new Set(bench.started.map(({ id }) => id)).size).toBe(starts.length);
  expect(bench.started[0]?.id).toBe(`main/a/${new Date(bench.started[0]?.planned_ms ?? 0).toISOString()}`);
});

test('a run that is longer than its interval is not joined by another; what it kept away is told', async () => {
  const bench = new ScheduleBench();
  bench.lengths = { a: 2.5 * MINUTE };
  bench.scheduler.replace(one());
  await bench.clock.advance(30 * MINUTE);
  expect(bench.most.get('main/a')).toBe(1);
  expect(bench.started.length + bench.skipped.length).toBeGreaterThanOrEqual(29);
  expect(new Set(bench.skipped)).toEqual(new Set(['main/a overlap']));
});

test('never more of a target than its cap: one start waits for a place, a second is told as skipped', async () => {
  const bench = new ScheduleBench();
  bench.lengths = { long: 150_000 };
  const probes = [probeOf('long', 600_000), probeOf('a', MINUTE)];
  bench.scheduler.replace({
    targets: [targetOf('main', 1, probes), targetOf('spare', 1, [probeOf('b', MINUTE)])],
  });
  await bench.clock.advance(60 * MINUTE);
  expect(bench.most.get('main')).toBe(1);
  expect(new Set(bench.skipped)).toEqual(new Set(['main/a concurrency']));
  // Six long runs hold `a` up for two starts or so each, and another target not at all.
  expect(bench.startsOf('a').length).toBeGreaterThan(45);
  expect(bench.startsOf('b').length).toBeGreaterThanOrEqual(59);
  expect(Math.max(...bench.lags)).toBeGreaterThan(10_000);
  expect(Math.min(...bench.lags)).toBeGreaterThanOrEqual(0);
});

test('the cap over all targets holds as well', async () => {
  const bench = new ScheduleBench({ concurrency: 2 });
  bench.lengths = { a: 50_000 };
  bench.scheduler.replace({
    targets: ['x', 'y', 'z'].map((name) => targetOf(name, 5, [probeOf('a', MINUTE)])),
  });
  await bench.clock.advance(60 * MINUTE);
  expect(bench.most.get('all')).toBe(2);
});

test('Retry-After keeps the probe away until then, an hour at most', async () => {
  const bench = new ScheduleBench();
  bench.behave = async () => ({ kind: 'ended', retry_after_ms: 10 * MINUTE });
  bench.scheduler.replace(one());
  await bench.clock.advance(2 * MINUTE);
  expect(bench.started).toHaveLength(1);
  bench.behave = async () => ({ kind: 'ended', retry_after_ms: 1e15 });
  await bench.clock.advance(10 * MINUTE);
  expect(bench.started).toHaveLength(2);
  expect(await bench.scheduler.runNow('main', 'a')).toEqual({ kind: 'skipped', reason: 'retry_after' });
  expect(new Set(bench.skipped)).toEqual(new Set(['main/a retry_after']));
  await bench.clock.advance(62 * MINUTE);
  expect(bench.started).toHaveLength(3);
});

test('a run that says that the budget is spent is told as skipped', async () => {
  const bench = new ScheduleBench();
  bench.behave = async () => ({ kind: 'skipped', reason: 'budget' });
  bench.scheduler.replace(one());
  await bench.clock.advance(3 * MINUTE);
  expect(new Set(bench.skipped)).toEqual(new Set(['main/a budget']));
});

test('a run that throws is told, and the next one starts all the same', async () => {
  const bench = new ScheduleBench();
  bench.behave = () => Promise.reject(new Error('ours'));
  bench.scheduler.replace(one());
  await bench.clock.advance(3 * MINUTE);
  expect(bench.failed.length).toBeGreaterThanOrEqual(2);
  expect(bench.started.length).toBe(bench.failed.length);
  await expect(bench.scheduler.runNow('main', 'a')).rejects.toThrow('ours');
});

test('what stood still does not start all at once, whichever clock jumped', async () => {
  for (const interval_ms of [MINUTE, DAY]) {
    const bench = new ScheduleBench();
    const probes = Array.from({ length: 200 }, (_, n) => probeOf(`p${n}`, interval_ms));
    bench.scheduler.replace({ targets: [targetOf('main', 1_000, probes)] });
    await bench.clock.advance(MINUTE);
    bench.started.length = 0;
    await bench.clock.freeze(3 * DAY);
    expect(bench.started).toHaveLength(0);
    await bench.clock.advance(1_000);
    expect(bench.started.length).toBeLessThan(20);
    await bench.clock.advance(66_000);
    // Rare ones make up for what they missed, once.
    expect(new Set(bench.started.map(({ probe }) => probe.name)).size).toBe(200);
    bench.started.length = 0;
    for (const wall of [bench.clock.now_ms() + 40 * DAY, 0]) {
      bench.clock.setWall(wall);
      await bench.clock.advance(1_000);
    }
    expect(bench.started.length).toBeLessThan(20);
  }
});

test('runNow runs at once, joins a run that is under way, and keeps the cap', async () => {
  const bench = new ScheduleBench();
  bench.lengths = { a: 5_000 };
  bench.scheduler.replace({ targets: [targetOf('main', 1, [probeOf('a', DAY), probeOf('b', DAY)])] });
  const ends = [bench.scheduler.runNow('main', 'a'), bench.scheduler.runNow('main', 'a')];
  await settled();
  expect(bench.started).toMatchObject([{ asked: true, id: expect.stringContaining('main/a/asked-') }]);
  expect(await bench.scheduler.runNow('main', 'b')).toEqual({ kind: 'skipped', reason: 'concurrency' });
  await bench.clock.advance(5_000);
  expect(await Promise.all(ends)).toEqual([ENDED, ENDED]);
  expect(bench.started).toHaveLength(1);
  await expect(bench.scheduler.runNow('main', 'c')).rejects.toMatchObject({ code: 'probe_unknown' });
  await expect(bench.scheduler.runNow('other', 'a')).rejects.toMatchObject({ code: 'probe_unknown' });
});

test('a new plan keeps the starts and runs of what it did not change', async () => {
  const kept = new ScheduleBench();
  const untouched = new ScheduleBench();
  for (const bench of [kept, untouched]) {
    bench.lengths = { a: 20_000 };
    bench.scheduler.replace(one());
  }
  for (let n = 0; n < 50; n += 1) {
    await kept.clock.advance(17_000);
    kept.scheduler.replace({
      targets: [
        targetOf('main', 4, [{ ...probeOf('a', MINUTE), timeout_ms: n }, probeOf(`new-${n}`, MINUTE)]),
      ],
    });
    await untouched.clock.advance(17_000);
  }
  expect(kept.startsOf('a')).toEqual(untouched.startsOf('a'));
  expect(kept.started.filter(({ probe }) => probe.name === 'a').at(-1)?.probe.timeout_ms).toBeGreaterThan(40);
  expect(kept.started.every(({ signal }) => !signal.aborted)).toBe(true);
});

test('what is no longer in the plan does not start, and a run of it that goes on is not joined by another', async () => {
  const bench = new ScheduleBench();
  bench.lengths = { a: 10 * MINUTE };
  bench.scheduler.replace(one());
  await bench.clock.advance(1.2 * MINUTE);
  expect(bench.started).toHaveLength(1);
  bench.scheduler.replace({ targets: [] });
  expect(bench.clock.timers()).toBe(1);
  await expect(bench.scheduler.runNow('main', 'a')).rejects.toMatchObject({ code: 'probe_unknown' });
  bench.scheduler.replace(one(MINUTE / 2));
  await bench.clock.advance(5 * MINUTE);
  expect(bench.most.get('main/a')).toBe(1);
  bench.scheduler.replace({ targets: [] });
  await bench.clock.advance(20 * MINUTE);
  expect(bench.started).toHaveLength(1);
  expect(bench.clock.timers()).toBe(0);
});

test('a drain starts nothing, waits, then aborts what is left', async () => {
  const bench = new ScheduleBench();
  bench.lengths = { a: 10_000, b: 10 * MINUTE };
  const probes = [probeOf('a', DAY), probeOf('b', DAY), probeOf('c', MINUTE)];
  bench.scheduler.replace({ targets: [targetOf('main', 2, probes)] });
  void bench.scheduler.runNow('main', 'a');
  void bench.scheduler.runNow('main', 'b');
  await settled();
  let drained: unknown = null;
  void bench.scheduler.drain(30_000).then((end) => {
    drained = end;
  });
  await bench.clock.advance(29_000);
  expect(drained).toBeNull();
  expect(bench.started.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  await bench.clock.advance(1_000);
  expect(drained).toEqual({ aborted: 1, left: 0 });
  expect(bench.started.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  expect(await bench.scheduler.runNow('main', 'c')).toEqual({ kind: 'skipped', reason: 'paused' });
  await bench.clock.advance(DAY);
  expect(bench.started).toHaveLength(2);
  expect(bench.clock.timers()).toBe(0);
});

test('a drain does not wait for ever for a run that heeds no signal', async () => {
  const bench = new ScheduleBench();
  bench.behave = () => new Promise(() => {});
  bench.scheduler.replace(one());
  void bench.scheduler.runNow('main', 'a');
  await settled();
  const drained = bench.scheduler.drain(1_000);
  await bench.clock.advance(10_000);
  expect(await drained).toEqual({ aborted: 1, left: 1 });
});

test('a free read starts once within half a minute, then at its slots; a paid probe waits for its slot', async () => {
  const bench = new ScheduleBench();
  const names = Array.from({ length: 20 }, (_, place) => `read${place}`);
  bench.scheduler.replace({
    targets: [
      targetOf('main', 50, [
        ...names.map((name) => probeOf(name, 60 * MINUTE, 'usage')),
        ...names.map((name) => probeOf(`paid-${name}`, 60 * MINUTE)),
      ]),
    ],
  });
  await bench.clock.advance(MINUTE / 2);
  for (const name of names) expect(bench.startsOf(name)).toHaveLength(1);
  const paid = bench.started.filter(({ probe }) => probe.api === 'chat').length;
  expect(paid).toBeLessThan(names.length / 2);
  // Spread out: twenty reads at the same moment would be a burst.
  expect(new Set(bench.started.map(({ at_mono }) => Math.floor(at_mono / 1_000))).size).toBeGreaterThan(5);
  await bench.clock.advance(65.5 * MINUTE);
  for (const name of names) {
    const starts = bench.startsOf(name).length;
    expect(starts).toBeGreaterThanOrEqual(2);
    expect(starts).toBeLessThanOrEqual(3);
  }
  expect(new Set(bench.started.map(({ id }) => id)).size).toBe(bench.started.length);
});
