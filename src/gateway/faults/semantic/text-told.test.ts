import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { TEXT_KINDS, type TextKind } from '../../../core/call-kind.ts';
import { FaultBench, GIVEN_BACK, type TriedCall, WHOLE } from '../fault-bench.test-support.ts';
import { jsonEvents } from '../sent-events.test-support.ts';

let bench: FaultBench;

beforeAll(async () => {
  bench = await FaultBench.start();
});
afterAll(() => bench.close());

const PLAIN = { stream: false };
const WAYS = TEXT_KINDS.flatMap((kind) => [[kind, 'streamed', {}] as const, [kind, 'plain', PLAIN] as const]);

/** Every JSON object that the answer consists of. */
function answer({ raw, events }: TriedCall): Record<string, unknown>[] {
  return events.length > 0 ? jsonEvents(events) : [json(raw.body)];
}

function json(body: Uint8Array): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(body)));
}

/** All values under a name anywhere in the answer, in order. */
function every(call: TriedCall, name: string): unknown[] {
  const found: unknown[] = [];
  for (const value of answer(call)) {
    JSON.stringify(value, (key, inner: unknown) => {
      if (key === name) found.push(inner);
      return inner;
    });
  }
  return found;
}

function textOf(kind: TextKind, call: TriedCall): string {
  return call.events.length > 0 ? call.text : every(call, kind === 'chat' ? 'content' : 'text').join('');
}

function limit(kind: TextKind, tokens: number): object {
  return kind === 'responses' ? { max_output_tokens: tokens } : { max_tokens: tokens };
}

describe.each(WAYS)('%s, %s', (kind, _way, over) => {
  test('sem.model_swap: another model is named, the one asked for is charged', async () => {
    const parameters = { model: 'birch-7' };
    const { hit, right, fault } = await bench.try({ fault: 'sem.model_swap', parameters, kind, over });
    expect(new Set(every(hit, 'model'))).toEqual(new Set(['birch-7']));
    expect(new Set(every(right, 'model'))).toEqual(new Set(['aspen-mini']));
    expect(hit.record).toMatchObject({ ...WHOLE, model: 'aspen-mini', amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('sem.finish_reason_lie: a reply that was cut is told as whole', async () => {
    const { hit, right, fault } = await bench.try({ fault: 'sem.finish_reason_lie', kind, over });
    const ends = { chat: 'finish_reason', responses: 'status', messages: 'stop_reason' }[kind];
    const lie = { chat: 'stop', responses: 'completed', messages: 'end_turn' }[kind];
    const truth = { chat: 'length', responses: 'incomplete', messages: 'max_tokens' }[kind];
    expect(every(hit, ends).at(-1)).toBe(lie);
    expect(every(right, ends).at(-1)).toBe(truth);
    expect(every(hit, ends)).not.toContain(truth);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('sem.truncated_text_completed: half the text, whole usage', async () => {
    const { hit, right, fault } = await bench.try({ fault: 'sem.truncated_text_completed', kind, over });
    const [half, whole] = [textOf(kind, hit), textOf(kind, right)];
    expect(half).not.toBe('');
    expect(whole.startsWith(half)).toBe(true);
    expect(whole.length).toBeGreaterThan(half.length);
    expect(every(hit, 'usage').at(-1)).toEqual(every(right, 'usage').at(-1));
    expect(hit.record).toMatchObject({ ...WHOLE, output_tokens: right.record.output_tokens });
    expect(fault.delta).toBe('0');
  });

  test('sem.empty_output, charged: nothing came, and the charge is wrong by all of it', async () => {
    const { hit, right, fault } = await bench.try({ fault: 'sem.empty_output', kind, over });
    expect(hit.raw).toMatchObject({ status: 200, complete: true });
    expect(textOf(kind, hit)).toBe('');
    if (hit.events.length > 0) expect(hit.terminators).toBe(1);
    else
      expect(json(hit.raw.body)[{ chat: 'choices', responses: 'output', messages: 'content' }[kind]]).toEqual(
        [],
      );
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe(hit.record.amount);
    expect(Number(fault.delta)).toBeGreaterThan(0);
  });

  test('sem.empty_output, its prompt charged: no output is told, recorded or charged', async () => {
    const parameters = { usage: 'prompt' };
    const { hit, right, fault } = await bench.try({ fault: 'sem.empty_output', parameters, kind, over });
    expect(textOf(kind, hit)).toBe('');
    const { input_tokens } = right.record;
    expect(hit.record).toMatchObject({ ...WHOLE, input_tokens, output_tokens: 0 });
    expect(hit.journal.amount).toBe(hit.record.amount);
    expect(fault.delta).toBe(hit.record.amount);
    expect(Number(fault.delta)).toBeGreaterThan(0);
    expect(Number(fault.delta)).toBeLessThan(Number(right.record.amount));
  });

  test('sem.empty_output, not charged: nothing came, and everything is given back', async () => {
    const parameters = { charged: false };
    const { hit, fault } = await bench.try({ fault: 'sem.empty_output', parameters, kind, over });
    expect(textOf(kind, hit)).toBe('');
    expect(hit.record).toMatchObject(GIVEN_BACK);
    expect(hit.journal.amount).toBe('0');
    expect(fault.delta).toBe('0');
  });

  test('sem.duplicate_ids: two calls are told one id, each has a record of its own', async () => {
    const one = await bench.try({ fault: 'sem.duplicate_ids', kind, over });
    const two = await bench.try({ fault: 'sem.duplicate_ids', kind, over });
    const told = one.hit.raw.headers['x-request-id'] ?? '';
    expect(told).not.toBe('');
    for (const name of ['x-request-id', 'request-id', 'x-oneapi-request-id']) {
      expect([one.hit.raw.headers[name], two.hit.raw.headers[name]]).toEqual([told, told]);
    }
    expect(String(every(one.hit, 'id')[0])).toContain(told);
    expect(one.hit.record.request_id).not.toBe(two.hit.record.request_id);
    expect(one.hit.record).toMatchObject({ ...WHOLE, amount: one.right.record.amount });
    expect(one.fault.delta).toBe('0');
  });

  test('sem.duplicate_ids, long: an id that no usage read takes', async () => {
    const parameters = { form: 'long' };
    const { hit, right } = await bench.try({ fault: 'sem.duplicate_ids', parameters, kind, over });
    const told = hit.raw.headers['x-request-id'] ?? '';
    expect(told).toHaveLength(65);
    expect(told.startsWith(hit.record.request_id)).toBe(true);
    const read = await bench.gateway.call('GET', `/v1/usage/requests?request_id=${told}`);
    expect(read.status).toBe(400);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
  });
});

describe.each(WAYS.filter(([kind]) => kind !== 'messages'))('%s, %s: sem.clock_skew', (kind, _way, over) => {
  const name = kind === 'chat' ? 'created' : 'created_at';

  test.each([
    [{ offset_s: -7200, unit: 'seconds' }, (true_s: number) => true_s - 7200],
    [{ offset_s: 0, unit: 'milliseconds' }, (true_s: number) => true_s * 1000],
  ])('%j', async (parameters, told) => {
    const { hit, right } = await bench.try({ fault: 'sem.clock_skew', parameters, kind, over });
    expect(new Set(every(hit, name))).toEqual(new Set([told(hit.record.created_at)]));
    expect(every(right, name)[0]).toBe(right.record.created_at);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
  });
});

test('sem.model_swap without a name draws one of the catalogue, never the same', async () => {
  const { hit } = await bench.try({ fault: 'sem.model_swap', kind: 'chat' });
  const [told] = every(hit, 'model');
  expect(told).not.toBe('aspen-mini');
  const listed = await bench.gateway.call('GET', '/v1/models');
  expect(listed.text).toContain(JSON.stringify(told));
});

test('a reply that came to its own end is no lie, and one piece has no half: neither leaves a line', async () => {
  const before = await bench.faultLines();
  const whole = await bench.call({ fault: 'sem.finish_reason_lie', kind: 'chat', over: limit('chat', 4000) });
  expect(every(whole, 'finish_reason').at(-1)).toBe('stop');
  const one = await bench.call({
    fault: 'sem.truncated_text_completed',
    kind: 'chat',
    over: limit('chat', 1),
  });
  expect(one.pieces).toHaveLength(1);
  expect(await bench.faultLines()).toBe(before);
});
