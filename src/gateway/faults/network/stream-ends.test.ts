import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEXT_KINDS } from '../../../core/call-kind.ts';
import { BY_WRITTEN, FaultBench, GIVEN_BACK, WHOLE } from '../fault-bench.test-support.ts';
import { jsonEvents } from '../sent-events.test-support.ts';

let bench: FaultBench;

beforeAll(async () => {
  bench = await FaultBench.start();
});
afterAll(() => bench.close());

/** Events before the first text. */
const OPENING = { chat: 1, responses: 4, messages: 3 } as const;
/** Each piece of a small reply of this model is one token. */
const PIECES = 2;

describe.each(TEXT_KINDS)('%s: a cut is charged by what was written', (kind) => {
  const after = OPENING[kind] + PIECES;

  test.each([
    ['net.eof_clean', { after_events: after }, 'fin', true],
    ['net.fin_mid', { after_events: after }, 'fin', false],
    ['net.reset_mid', { after, unit: 'events' }, 'reset', false],
  ])('%s', async (fault, parameters, end, complete) => {
    const { hit, right, fault: line } = await bench.try({ fault, parameters, kind });
    expect(hit.raw).toMatchObject({ end, complete });
    expect(hit.events).toHaveLength(after);
    expect(hit.pieces).toEqual(right.pieces.slice(0, PIECES));
    expect(hit.terminators).toBe(0);
    expect(line.delta).toBe('0');
    expect(hit.record).toMatchObject({ ...BY_WRITTEN, output_tokens: PIECES });
    expect(hit.journal).toMatchObject({ events: after, amount: hit.record.amount });
  });

  test('net.half_event: the end stands in the middle of an event', async () => {
    const parameters = { after_events: after };
    const { hit, fault } = await bench.try({ fault: 'net.half_event', parameters, kind });
    expect(hit.raw).toMatchObject({ end: 'fin', complete: true });
    expect(hit.events).toHaveLength(after);
    const body = hit.raw.body.toString();
    expect(body.endsWith('\n\n')).toBe(false);
    expect(body.slice(body.lastIndexOf('\n\n')).length).toBeGreaterThan(10);
    expect(hit.record).toMatchObject({ ...BY_WRITTEN, output_tokens: PIECES });
    expect(fault.delta).toBe('0');
  });

  test('net.reset_mid after bytes: at most so many are written, inside an event', async () => {
    const parameters = { after: 1500, unit: 'bytes' };
    const over = kind === 'responses' ? { max_output_tokens: 24 } : { max_tokens: 24 };
    const { hit } = await bench.try({ fault: 'net.reset_mid', parameters, kind, over });
    expect(hit.raw).toMatchObject({ end: 'reset', complete: false });
    expect(hit.raw.body).toHaveLength(1500);
    const written = hit.pieces.length;
    const charged = written === 0 ? GIVEN_BACK : { ...BY_WRITTEN, output_tokens: written };
    expect(hit.record).toMatchObject(charged);
  });

  test('net.stall for good: the client leaves, and what was written is charged', async () => {
    const parameters = { after_events: after, silent_ms: 0 };
    const leave = { after_events: after, wait_ms: 30 };
    const { hit } = await bench.try({ fault: 'net.stall', parameters, kind, leave });
    expect(hit.raw).toMatchObject({ end: 'left', complete: false });
    expect(hit.events).toHaveLength(after);
    expect(hit.record).toMatchObject({ ...BY_WRITTEN, output_tokens: PIECES });
  });
});

describe.each(TEXT_KINDS)('%s: the whole reply is written and charged', (kind) => {
  test.each([
    ['net.no_terminator', 0, 0],
    ['net.dup_terminator', 2, 1],
    ['net.after_terminator', 1, 1],
  ])('%s', async (fault, terminators, more) => {
    const { hit, right, fault: line } = await bench.try({ fault, kind });
    expect(hit.raw).toMatchObject({ end: 'fin', complete: true });
    expect(hit.terminators).toBe(terminators);
    expect(hit.events).toHaveLength(right.events.length + (more === 0 ? -1 : more));
    const further = fault === 'net.after_terminator' ? right.pieces.slice(-1) : [];
    expect(hit.pieces).toEqual([...right.pieces, ...further]);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(line.delta).toBe('0');
  });

  test('net.trunc_json: one event is no JSON, all others are as they were', async () => {
    const parameters = { after_events: OPENING[kind] + 1 };
    const { hit, right, fault } = await bench.try({ fault: 'net.trunc_json', parameters, kind });
    expect(hit.events).toHaveLength(right.events.length);
    expect(jsonEvents(hit.events)).toHaveLength(jsonEvents(right.events).length - 1);
    expect(hit.pieces).toEqual(right.pieces.toSpliced(1, 1));
    expect(hit.terminators).toBe(1);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('net.garbage_chunk: one event more, which is no JSON', async () => {
    const parameters = { after_events: OPENING[kind] + 1 };
    const { hit, right, fault } = await bench.try({ fault: 'net.garbage_chunk', parameters, kind });
    expect(hit.events).toHaveLength(right.events.length + 1);
    expect(jsonEvents(hit.events)).toHaveLength(jsonEvents(right.events).length);
    expect(hit.pieces).toEqual(right.pieces);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });
});

test.each([
  ['net.reset_mid', { after: 10_000, unit: 'events' }],
  ['net.reset_mid', { after: 1_000_000, unit: 'bytes' }],
  ['net.half_event', { after_events: 10_000 }],
  ['net.stall', { after_events: 10_000, silent_ms: 0 }],
  ['net.trunc_json', { after_events: 10_000 }],
])('%s %j comes after the end: it does nothing and leaves no line', async (fault, parameters) => {
  const before = await bench.faultLines();
  const { pieces, terminators, record } = await bench.call({ fault, parameters, kind: 'chat' });
  expect(pieces).not.toEqual([]);
  expect(terminators).toBe(1);
  expect(record).toMatchObject(WHOLE);
  expect(await bench.faultLines()).toBe(before);
});

test('a gateway that closes ends a stream that stalls for good', async () => {
  const own = await FaultBench.start();
  const parameters = { after_events: 2, silent_ms: 0 };
  const stalled = own.stalled({ fault: 'net.stall', parameters, kind: 'chat' });
  await expect.poll(() => own.faultLines(), { interval: 5 }).toBe(1);
  await own.close();
  expect(await stalled).toMatchObject({ complete: false });
});
