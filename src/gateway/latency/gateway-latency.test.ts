import { describe, expect, test } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { GatewayLatency, loadOf } from './gateway-latency.ts';
import type { LatencyModel } from './latency-model.ts';
import { latencyOf } from './latency-preset.ts';

function latency(over: Partial<LatencyModel>): GatewayLatency {
  return new GatewayLatency({ ...latencyOf('fast'), ...over });
}

/** Whether a place is served, once everything that was resolved has been told. */
async function served(place: { readonly ready: Promise<void> | null }): Promise<boolean> {
  if (place.ready === null) return true;
  return Promise.race([
    place.ready.then(() => true),
    new Promise((resolve) => setImmediate(resolve, false)),
  ]).then((value) => value === true);
}

test('load grows evenly up to the factor, and not beyond it', () => {
  const model = { ...latencyOf('fast'), load_factor: 3, max_in_flight: 4 };
  expect([1, 2, 4, 9].map((serving) => loadOf(model, serving))).toEqual([1.5, 2, 3, 3]);
  expect(loadOf(latencyOf('realistic'), 5000)).toBe(1);
});

test('without a bound every call is served at once', () => {
  const gate = latency({});
  const places = Array.from({ length: 1000 }, () => gate.take());
  expect(places.every(({ ready, load }) => ready === null && load === 1)).toBe(true);
});

describe('with a bound', () => {
  test('calls wait in their order for those before them, and one that leaves is passed over', async () => {
    const gate = latency({ max_in_flight: 2, load_factor: 2 });
    const [first, second] = [gate.take(), gate.take()];
    const [third, fourth, fifth] = [gate.take(), gate.take(), gate.take()];
    expect([first.load, second.load]).toEqual([1.5, 2]);
    expect(await Promise.all([first, second, third, fourth].map(served))).toEqual([true, true, false, false]);
    third.leave();
    first.leave();
    expect(await Promise.all([fourth, fifth].map(served))).toEqual([true, false]);
    second.leave();
    expect(await served(fifth)).toBe(true);
    expect(fifth.load).toBe(2);
  });

  test('leaving twice frees one place', async () => {
    const gate = latency({ max_in_flight: 1 });
    const first = gate.take();
    const [second, third] = [gate.take(), gate.take()];
    first.leave();
    first.leave();
    expect(await Promise.all([second, third].map(served))).toEqual([true, false]);
  });

  test('beyond the queue it is crowded, with a wait', () => {
    const gate = latency({ max_in_flight: 1, max_queue: 1, retry_after_s: 7 });
    gate.take();
    const waiting = gate.take();
    expect(refusal(gate)).toMatchObject({
      status: 429,
      code: 'upstream_crowded',
      headers: { 'retry-after': '7' },
    });
    waiting.leave();
    expect(gate.take().ready).not.toBeNull();
  });

  test('a new model holds for the next call, and lets in those it has room for', async () => {
    const gate = latency({ max_in_flight: 1 });
    gate.take();
    const [second, third] = [gate.take(), gate.take()];
    gate.use({ ...latencyOf('fast'), max_in_flight: 2 });
    expect(await Promise.all([second, third].map(served))).toEqual([true, false]);
    gate.use(latencyOf('slow'));
    expect(await served(third)).toBe(true);
    expect(gate.model).toBe(latencyOf('slow'));
  });
});

test('the preset that is overloaded refuses what neither place nor queue holds', () => {
  const gate = new GatewayLatency(latencyOf('overloaded'));
  const { max_in_flight, max_queue } = latencyOf('overloaded');
  const room = (max_in_flight ?? 0) + (max_queue ?? 0);
  const loads = Array.from({ length: room }, () => gate.take().load);
  expect(loads[(max_in_flight ?? 0) - 1]).toBe(4);
  expect(refusal(gate)?.status).toBe(429);
});

function refusal(gate: GatewayLatency): ApiError | null {
  try {
    gate.take();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
