import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { TEXT_KINDS, type TextKind } from '../../../core/call-kind.ts';
import { FaultBench, type TriedCall, WHOLE } from '../fault-bench.test-support.ts';
import { jsonEvents } from '../sent-events.test-support.ts';

let bench: FaultBench;

beforeAll(async () => {
  bench = await FaultBench.start();
});
afterAll(() => bench.close());

const INCLUDED = { stream_options: { include_usage: true } };
const PLAIN = { stream: false };
const WAYS = TEXT_KINDS.flatMap((kind) => [
  [kind, 'streamed', kind === 'chat' ? INCLUDED : {}] as const,
  [kind, 'plain', PLAIN] as const,
]);

const object = z.record(z.string(), z.unknown());
type Usage = z.infer<typeof usage>;
const usage = z.record(z.string(), z.unknown());
const holder = z.looseObject({ usage: usage.nullish() });
const place = z.looseObject({
  usage: usage.nullish(),
  message: holder.optional(),
  response: holder.optional(),
});

/** Every usage object of an answer, in order. */
function usages({ raw, events }: TriedCall): Usage[] {
  const values: Record<string, unknown>[] =
    events.length > 0 ? jsonEvents(events) : [object.parse(JSON.parse(raw.body.toString()))];
  return values.flatMap((value) => {
    const { usage: top, message, response } = place.parse(value);
    return [top, message?.usage, response?.usage].flatMap((found) => (found == null ? [] : [found]));
  });
}

const OUTPUT = { chat: 'completion_tokens', responses: 'output_tokens', messages: 'output_tokens' } as const;
const INPUT = { chat: 'prompt_tokens', responses: 'input_tokens', messages: 'input_tokens' } as const;

function lastOutput(kind: TextKind, call: TriedCall): unknown {
  return usages(call).at(-1)?.[OUTPUT[kind]];
}

describe.each(WAYS)('%s, %s', (kind, way, over) => {
  test('sem.usage_missing: no usage anywhere, the record has it', async () => {
    const { hit, right, fault } = await bench.try({ fault: 'sem.usage_missing', kind, over });
    expect(usages(hit)).toEqual([]);
    expect(hit.raw.body.toString()).not.toMatch(/"(input|output|prompt|completion)_tokens"/);
    expect(lastOutput(kind, right)).toBe(right.record.output_tokens);
    if (way === 'streamed') expect([hit.text, hit.terminators]).toEqual([right.text, 1]);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('sem.usage_zero: all counts are 0, the record has the true ones', async () => {
    const { hit, right, fault } = await bench.try({ fault: 'sem.usage_zero', kind, over });
    const told = usages(hit).at(-1);
    expect([told?.[INPUT[kind]], told?.[OUTPUT[kind]]]).toEqual([0, 0]);
    expect(hit.record.output_tokens).toBeGreaterThan(0);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('sem.usage_mismatch: the client is told another number than the record has', async () => {
    const parameters = { output_tokens: 3 };
    const { hit, right, fault } = await bench.try({ fault: 'sem.usage_mismatch', parameters, kind, over });
    expect(lastOutput(kind, hit)).toBe(hit.record.output_tokens + 3);
    expect(lastOutput(kind, right)).toBe(right.record.output_tokens);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });
});

describe.each(['streamed', 'plain'])('sem.usage_cache_included, %s', (way) => {
  test('input_tokens of the messages format hold the cache tokens', async () => {
    const history = [{ role: 'user', content: 'stone '.repeat(1000) + way }];
    const over = { model: 'cedar-haiku', ...(way === 'plain' ? PLAIN : {}) };
    const trial = { fault: 'sem.usage_cache_included', kind: 'messages', over, history } as const;
    // The first call writes to the cache, those of the trial read from it.
    await bench.call({ ...trial, over: { ...over, max_tokens: 1 }, parameters: {} });
    const { hit, right, fault } = await bench.try(trial);
    const { cache_read_tokens, input_tokens, amount } = hit.record;
    expect(cache_read_tokens).toBeGreaterThan(1000);
    for (const told of usages(hit)) expect(told['input_tokens']).toBe(input_tokens);
    for (const told of usages(right)) expect(told['input_tokens']).toBe(input_tokens - cache_read_tokens);
    expect(amount).toBe(right.record.amount);
    expect(fault.delta).toBe('0');
  });
});

test('sem.usage_cumulative_sum: two events whose counts make up the true one', async () => {
  const { hit, right, fault } = await bench.try({ fault: 'sem.usage_cumulative_sum', kind: 'messages' });
  const counts = (call: TriedCall): unknown[] => usages(call).map((told) => told['output_tokens']);
  const { output_tokens } = hit.record;
  const first = Math.ceil(output_tokens / 2);
  expect(counts(hit)).toEqual([1, first, output_tokens - first]);
  expect(counts(right)).toEqual([1, output_tokens]);
  const reasons = jsonEvents(hit.events).flatMap(({ type, delta }) =>
    type === 'message_delta' ? [delta] : [],
  );
  expect(reasons).toMatchObject([{ stop_reason: null }, { stop_reason: 'max_tokens' }]);
  expect([hit.text, hit.terminators]).toEqual([right.text, 1]);
  expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
  expect(fault.delta).toBe('0');
});

test.each([
  ['asked for', INCLUDED],
  ['not asked for', {}],
])(
  'sem.usage_in_content, %s: each chunk has the usage so far, the last the true one',
  async (_asked, over) => {
    const { hit, right, fault } = await bench.try({ fault: 'sem.usage_in_content', kind: 'chat', over });
    const told = usages(hit).map((one) => Number(one['completion_tokens']));
    expect(told).toHaveLength(jsonEvents(hit.events).length);
    expect(told).toEqual(told.toSorted((left, right) => left - right));
    expect([told[0], told.at(-1)]).toEqual([0, hit.record.output_tokens]);
    expect(usages(right)).toHaveLength('stream_options' in over ? 1 : 0);
    expect(hit.text).toBe(right.text);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  },
);

test.each([
  ['sem.usage_missing', 'chat', {}],
  ['sem.usage_zero', 'chat', {}],
  ['sem.usage_mismatch', 'chat', {}],
  ['sem.usage_cache_included', 'messages', {}],
] as const)(
  '%s does nothing where there is nothing to tell wrong, and leaves no line',
  async (fault, kind, over) => {
    const before = await bench.faultLines();
    expect((await bench.call({ fault, kind, over })).record).toMatchObject(WHOLE);
    expect(await bench.faultLines()).toBe(before);
  },
);
