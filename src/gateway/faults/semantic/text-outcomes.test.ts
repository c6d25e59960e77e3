import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { TEXT_KINDS } from '../../../core/call-kind.ts';
import { BY_WRITTEN, FaultBench, GIVEN_BACK, type TriedCall, WHOLE } from '../fault-bench.test-support.ts';
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

const message = expect.stringMatching(/^The model did not finish this reply \(request id: \w+\)$/);
const ERROR_EVENTS = {
  chat: { error: { message, type: 'new_api_error', code: 'upstream_error' } },
  responses: { type: 'error', message, code: 'upstream_error', param: null },
  messages: { type: 'error', error: { type: 'api_error', message } },
};

describe.each(TEXT_KINDS)('%s', (kind) => {
  const after_events = OPENING[kind] + PIECES;

  test('sem.error_in_stream, charged: the error is the last event, what was written is charged', async () => {
    const parameters = { after_events, charged: true };
    const { hit, right, fault } = await bench.try({ fault: 'sem.error_in_stream', parameters, kind });
    expect(hit.raw).toMatchObject({ status: 200, complete: true, end: 'fin' });
    expect(hit.events).toHaveLength(after_events + 1);
    expect(jsonEvents(hit.events).at(-1)).toMatchObject(ERROR_EVENTS[kind]);
    expect(hit.raw.body.toString()).toContain(hit.record.request_id);
    expect(hit.events.at(-1)?.type).toBe(kind === 'chat' ? '' : 'error');
    expect(hit.pieces).toEqual(right.pieces.slice(0, PIECES));
    expect(hit.terminators).toBe(0);
    expect(hit.record).toMatchObject({ ...BY_WRITTEN, output_tokens: PIECES });
    expect(fault.delta).toBe('0');
  });

  test('sem.error_in_stream, not charged: everything is given back', async () => {
    const parameters = { after_events, charged: false };
    const { hit, fault } = await bench.try({ fault: 'sem.error_in_stream', parameters, kind });
    expect(hit.pieces).toHaveLength(PIECES);
    expect(jsonEvents(hit.events).at(-1)).toMatchObject(ERROR_EVENTS[kind]);
    expect(hit.record).toMatchObject({ ...GIVEN_BACK, refunded_amount: hit.record.reserved_amount });
    expect(fault.delta).toBe('0');
  });

  test('sem.failed_then_text: failed in the middle, and whole at the end', async () => {
    const parameters = { after_events };
    const { hit, right, fault } = await bench.try({ fault: 'sem.failed_then_text', parameters, kind });
    expect(hit.events).toHaveLength(right.events.length + 1);
    const failed = kind === 'responses' ? { type: 'response.failed' } : ERROR_EVENTS[kind];
    expect(jsonEvents(hit.events)[after_events]).toMatchObject(failed);
    expect(hit.pieces).toEqual(right.pieces);
    expect(hit.terminators).toBe(1);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });
});

describe('responses', () => {
  const after_events = OPENING.responses + PIECES;
  const failed = {
    status: 'failed',
    output: [],
    error: { code: 'upstream_error', message },
    usage: null,
  };

  test.each([
    [true, { ...BY_WRITTEN, output_tokens: PIECES }],
    [false, GIVEN_BACK],
  ])('sem.responses_failed, streamed, charged %j', async (charged, record) => {
    const parameters = { after_events, charged };
    const { hit, fault } = await bench.try({ fault: 'sem.responses_failed', parameters, kind: 'responses' });
    const last = { type: 'response.failed', response: failed, sequence_number: after_events };
    expect(jsonEvents(hit.events).at(-1)).toMatchObject(last);
    expect(hit.pieces).toHaveLength(PIECES);
    expect(hit.raw).toMatchObject({ complete: true, end: 'fin' });
    expect(hit.record).toMatchObject(record);
    expect(fault.delta).toBe('0');
  });

  test.each([
    [true, WHOLE, { status: 'failed', usage: { output_tokens: 6 } }],
    [false, GIVEN_BACK, failed],
  ])('sem.responses_failed, plain, charged %j', async (charged, record, told) => {
    const parameters = { after_events, charged };
    const trial = {
      fault: 'sem.responses_failed',
      parameters,
      kind: 'responses',
      over: { stream: false },
    } as const;
    const { hit, right, fault } = await bench.try(trial);
    expect(hit.raw.status).toBe(200);
    expect(whole(hit)).toMatchObject(told);
    expect(whole(right)).toMatchObject({ status: 'incomplete', error: null });
    expect(hit.record).toMatchObject(record);
    expect(fault.delta).toBe('0');
  });

  test.each([
    ['streamed', 'content_filter', {}],
    ['streamed', 'max_output_tokens', {}],
    ['plain', 'content_filter', { stream: false }],
  ])('sem.responses_incomplete, %s, %s', async (_way, reason, over) => {
    const parameters = { reason };
    const trial = {
      fault: 'sem.responses_incomplete',
      parameters,
      kind: 'responses',
      over: { model: 'aspen-nano', max_output_tokens: 400, ...over },
    } as const;
    const { hit, right, fault } = await bench.try(trial);
    const response = { status: 'incomplete', incomplete_details: { reason } };
    const told = hit.events.length > 0 ? jsonEvents(hit.events).at(-1) : { response: whole(hit) };
    expect(told).toMatchObject({ response });
    const honest = right.events.length > 0 ? jsonEvents(right.events).at(-1) : { response: whole(right) };
    expect(honest).toMatchObject({ response: { status: 'completed', incomplete_details: null } });
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('sem.sequence_gap: numbers are left out, events are not', async () => {
    const parameters = { after_events: 5, missing: 3 };
    const { hit, right, fault } = await bench.try({
      fault: 'sem.sequence_gap',
      parameters,
      kind: 'responses',
    });
    const numbers = (call: TriedCall): unknown[] =>
      jsonEvents(call.events).map(({ sequence_number }) => sequence_number);
    expect(numbers(right)).toEqual(right.events.map((_event, index) => index));
    expect(numbers(hit)).toEqual(right.events.map((_event, index) => (index < 5 ? index : index + 3)));
    expect(hit.pieces).toEqual(right.pieces);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });
});

test('sem.interleaved_choices: events of a second choice between those of the first', async () => {
  const { hit, right, fault } = await bench.try({ fault: 'sem.interleaved_choices', kind: 'chat' });
  const chunk = z.object({
    choices: z.array(z.object({ index: z.int(), delta: z.object({ content: z.string() }) })),
  });
  const indices = jsonEvents(hit.events).flatMap(
    (event) => chunk.safeParse(event).data?.choices[0]?.index ?? [],
  );
  // The first event carries the role, and an empty text.
  expect(indices).toEqual([0, ...right.pieces.flatMap(() => [0, 1])]);
  expect(hit.pieces).toEqual(right.pieces);
  expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
  expect(fault.delta).toBe('0');
});

test('a failure that comes after the end does not fail, and leaves no line', async () => {
  const before = await bench.faultLines();
  for (const fault of ['sem.error_in_stream', 'sem.responses_failed']) {
    const parameters = { after_events: 10_000, charged: false };
    expect((await bench.call({ fault, parameters, kind: 'responses' })).record).toMatchObject(WHOLE);
  }
  expect(await bench.faultLines()).toBe(before);
});

function whole({ raw }: TriedCall): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(raw.body.toString()));
}
