import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { UsageRecord } from '../../../contracts/interface.ts';
import { formatAmount } from '../../../core/amount.ts';
import type { FaultParameters } from '../../hooks/fault-definition.ts';
import {
  amount,
  BillingTrials,
  billOf,
  content,
  deltaOf,
  type Script,
  takenFrom,
} from './billing-trial.test-support.ts';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const PATIENCE = { interval: 5 };

function chat(over: object = {}) {
  const messages = [{ role: 'user', content: 'tell of the harbor' }];
  return { path: CHAT, body: { model: 'aspen-mini', max_tokens: 5, messages, ...over } };
}

/** Above the least that the prompt cache takes; one token a byte, about. */
const LONG = 'a long story about the sea and the land. '.repeat(120);
function cached(end: string) {
  const messages = [
    { role: 'user', content: LONG },
    { role: 'assistant', content: 'yes' },
    { role: 'user', content: end },
  ];
  return { path: MESSAGES, body: { model: 'cedar-sonnet', max_tokens: 5, messages } };
}

const image = (quality: string) => ({
  path: '/v1/images/generations',
  body: { model: 'lumen-image', prompt: 'a boat', quality },
});
const video = (over: object = {}) => ({
  path: '/v1/videos',
  body: { model: 'orbit-2-pro', prompt: 'a boat', seconds: 4, ...over },
});

const TEXT: Script = { calls: [chat(), chat()] };
/** Much more is reserved than is charged. */
const HELD: Script = { calls: [chat({ max_tokens: 500 }), chat({ max_tokens: 500 })] };
const priced = (model: string, content: string): Script => ({
  calls: [1, 2].map(() => chat({ model, messages: [{ role: 'user', content }] })),
});
/** 9 and 11 tokens of 3.75 steps of 10⁻⁸ USD: three quarters of a step above a whole one, and one quarter. */
const THREE_QUARTERS = priced("kelp's finest", 'abcde');
const QUARTER = priced("kelp's finest", 'abcdefghijklm');
/** 11 tokens of 5.5 steps: a tie above an even step. */
const TIES = priced('juniper "quoted" model', 'abcdefghijklm');
const CACHED: Script = { calls: [cached('one'), cached('two'), cached('three')] };
const IMAGES: Script = { calls: [image('low'), image('low')] };
const DEAR_IMAGES: Script = { calls: [image('high'), image('high')] };
const VIDEOS: Script = { calls: [video(), video()] };
const FAILED: Script = { calls: [{ ...video(), fails: true }, video()] };
const cutAfter = (after_events: number): Script => ({
  calls: [chat({ stream: true }), chat()],
  beside: [{ fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events } }],
});
const CUT = cutAfter(4);
const NO_OUTPUT = cutAfter(1);

interface Row {
  readonly fault: string;
  readonly parameters?: FaultParameters;
  readonly script: Script;
  /** Which call it hits; the first unless given. */
  readonly nth?: number;
  readonly sign: 1 | 0 | -1;
  /** What the record of the hit call says, from the right one; null: there is none. */
  readonly says?: (right: UsageRecord) => object | null;
  /** How many records there are beyond the right ones. */
  readonly more?: number;
  /** The account goes another way than the bill. */
  readonly offBooks?: true;
}

const settledAt =
  (share: (value: bigint) => bigint) =>
  (right: UsageRecord): object => ({
    billing_status: 'settled',
    amount: formatAmount(share(amount(right.amount))),
  });

const ROWS: readonly Row[] = [
  { fault: 'bill.double_charge', script: TEXT, sign: 1, more: 1, says: content },
  { fault: 'bill.double_charge', script: VIDEOS, sign: 1, more: 1, says: content },
  {
    fault: 'bill.double_charge',
    parameters: { variant: 'double_price' },
    script: TEXT,
    sign: 1,
    says: settledAt((value) => value * 2n),
  },
  { fault: 'bill.duplicate_record', script: TEXT, sign: 1, more: 1, says: content, offBooks: true },
  { fault: 'bill.retry_charge', script: TEXT, sign: 1, more: 1, says: content },
  { fault: 'bill.phantom_record', script: TEXT, sign: 1, more: 1, says: content },
  { fault: 'bill.request_id_reuse', script: TEXT, nth: 2, sign: 0, says: () => null },
  { fault: 'bill.missing_record', script: TEXT, sign: -1, more: -1, says: () => null },
  { fault: 'bill.wrong_key', script: TEXT, sign: -1, more: -1, says: () => null, offBooks: true },
  {
    fault: 'bill.charge_failed',
    script: FAILED,
    sign: 1,
    says: ({ reserved_amount }) => ({
      billing_status: 'settled',
      result: 'completed',
      amount: reserved_amount,
      refunded_amount: '0',
    }),
  },
  {
    fault: 'bill.missing_refund',
    script: FAILED,
    sign: 1,
    says: ({ reserved_amount }) => ({
      billing_status: 'settled',
      result: 'failed',
      amount: reserved_amount,
      refunded_amount: '0',
    }),
  },
  {
    fault: 'bill.double_refund',
    script: FAILED,
    sign: -1,
    says: ({ reserved_amount }) => ({
      billing_status: 'refunded',
      amount: '0',
      refunded_amount: formatAmount(amount(reserved_amount) * 2n),
    }),
  },
  {
    fault: 'bill.partial_refund',
    parameters: { percent: 25 },
    script: FAILED,
    sign: 1,
    says: ({ reserved_amount }) => ({
      billing_status: 'refunded',
      amount: '0',
      refunded_amount: formatAmount(amount(reserved_amount) / 4n),
    }),
  },
  {
    fault: 'bill.charge_prompt_only_on_abort',
    script: NO_OUTPUT,
    sign: 1,
    says: () => ({ billing_status: 'settled', result: 'failed', output_tokens: 0, usage_estimated: true }),
  },
  { fault: 'bill.missing_refund', script: NO_OUTPUT, sign: 1, says: () => ({ result: 'failed' }) },
  {
    fault: 'bill.zero_on_abort',
    script: CUT,
    sign: -1,
    says: ({ output_tokens }) => ({ billing_status: 'settled', amount: '0', output_tokens }),
  },
  {
    fault: 'bill.incomplete_as_completed',
    script: CUT,
    sign: 0,
    says: (right) => ({ ...content(right), result: 'completed' }),
  },
  {
    fault: 'bill.pending_forever',
    script: HELD,
    sign: 1,
    says: ({ reserved_amount }) => ({
      billing_status: 'pending',
      amount: '0',
      reserved_amount,
      output_tokens: 0,
    }),
  },
  {
    fault: 'bill.pending_to_unknown',
    parameters: { after_ms: 0 },
    script: HELD,
    sign: 1,
    says: ({ reserved_amount }) => ({ billing_status: 'unknown', amount: '0', reserved_amount }),
  },
  { fault: 'bill.reserve_leak', script: TEXT, sign: 0, says: content, offBooks: true },
  {
    fault: 'bill.state_regression',
    parameters: { after_ms: 0 },
    script: HELD,
    sign: 1,
    // 10 % more, at 8 decimals.
    says: settledAt((value) => (((value * 11n) / 10n + 5000n) / 10_000n) * 10_000n),
  },
  {
    fault: 'bill.state_regression',
    parameters: { variant: 'pending', after_ms: 0 },
    script: HELD,
    sign: 1,
    says: () => ({ billing_status: 'pending', amount: '0' }),
  },
  {
    fault: 'bill.state_regression',
    parameters: { variant: 'gone', after_ms: 0 },
    script: TEXT,
    sign: -1,
    more: -1,
    says: () => null,
  },
  { fault: 'bill.wrong_rate', script: TEXT, sign: -1 },
  { fault: 'bill.wrong_rate', parameters: { variant: 'input_at_output' }, script: TEXT, sign: 1 },
  {
    fault: 'bill.wrong_rate',
    parameters: { variant: 'cache_read_at_input' },
    script: CACHED,
    nth: 2,
    sign: 1,
    says: ({ cache_read_tokens }) => ({ cache_read_tokens }),
  },
  { fault: 'bill.wrong_rate', parameters: { variant: 'cache_write_at_read' }, script: CACHED, sign: -1 },
  {
    fault: 'bill.wrong_rate',
    parameters: { variant: 'cache_counted_twice' },
    script: CACHED,
    nth: 2,
    sign: 1,
  },
  {
    fault: 'bill.wrong_rate',
    parameters: { variant: 'image_dearest' },
    script: IMAGES,
    sign: 1,
    says: () => ({ amount: '0.25', refunded_amount: '0' }),
  },
  {
    fault: 'bill.wrong_rate',
    parameters: { variant: 'image_cheapest' },
    script: DEAR_IMAGES,
    sign: -1,
    says: () => ({ amount: '0.011', reserved_amount: '0.167', refunded_amount: '0.156' }),
  },
  { fault: 'bill.video_units', script: VIDEOS, sign: 1, says: () => ({ amount: '3.6' }) },
  {
    fault: 'bill.video_units',
    parameters: { variant: 'dearest_resolution' },
    script: VIDEOS,
    sign: 1,
    says: () => ({ amount: '2' }),
  },
  { fault: 'bill.wrong_model', script: TEXT, sign: 1, says: () => ({ model: 'aspen-mini' }) },
  {
    fault: 'bill.wrong_model',
    parameters: { variant: 'name' },
    script: TEXT,
    sign: 0,
    says: (right) => ({ ...content(right), model: 'aspen' }),
  },
  {
    fault: 'bill.multiplier_hidden',
    parameters: { factor: '1.5' },
    script: IMAGES,
    sign: 1,
    says: settledAt((value) => (value * 3n) / 2n),
  },
  { fault: 'bill.unit_error', script: TEXT, sign: 1, says: settledAt((value) => value * 100n) },
  {
    fault: 'bill.unit_error',
    parameters: { variant: 'usd_as_cents' },
    script: IMAGES,
    sign: -1,
    says: settledAt((value) => value / 100n),
  },
  {
    fault: 'bill.unit_error',
    parameters: { variant: 'per_thousand' },
    script: TEXT,
    sign: 1,
    says: settledAt((value) => value * 1000n),
  },
  {
    fault: 'bill.unit_error',
    parameters: { variant: 'per_billion' },
    script: IMAGES,
    sign: -1,
    says: settledAt((value) => value / 1000n),
  },
  { fault: 'bill.min_charge', script: TEXT, sign: 1, says: () => ({ amount: '0.001' }) },
  {
    fault: 'bill.uncharged_success',
    script: TEXT,
    sign: -1,
    says: ({ output_tokens, reserved_amount }) => ({
      billing_status: 'settled',
      amount: '0',
      refunded_amount: reserved_amount,
      output_tokens,
    }),
  },
  {
    fault: 'bill.settle_above_reserve',
    script: IMAGES,
    sign: 1,
    says: () => ({ amount: '0.01375', reserved_amount: '0.011', refunded_amount: '0' }),
  },
  {
    fault: 'bill.token_mismatch',
    script: TEXT,
    sign: 1,
    says: ({ output_tokens, input_tokens }) => ({ output_tokens: output_tokens + 1, input_tokens }),
  },
  {
    fault: 'bill.token_mismatch',
    parameters: { variant: 'input', percent: -50 },
    script: TEXT,
    sign: -1,
    says: ({ output_tokens }) => ({ output_tokens }),
  },
  {
    fault: 'bill.swap_in_out',
    script: TEXT,
    sign: 1,
    says: ({ output_tokens, input_tokens }) => ({ output_tokens: input_tokens, input_tokens: output_tokens }),
  },
  {
    fault: 'bill.cache_dropped',
    script: CACHED,
    nth: 2,
    sign: 1,
    says: ({ input_tokens }) => ({ cache_read_tokens: 0, cache_write_tokens: 0, input_tokens }),
  },
  {
    fault: 'bill.estimated_high',
    script: TEXT,
    sign: 1,
    says: ({ output_tokens }) => ({ usage_estimated: true, output_tokens: output_tokens + 2 }),
  },
  {
    fault: 'bill.estimated_high',
    parameters: { variant: 'cut' },
    script: CUT,
    sign: 1,
    says: () => ({ usage_estimated: true }),
  },
  {
    fault: 'bill.estimated_unflagged',
    script: CUT,
    sign: 1,
    says: ({ output_tokens }) => ({
      usage_estimated: false,
      output_tokens: output_tokens + 1,
      result: 'incomplete',
    }),
  },
  { fault: 'bill.amount_rounding', script: THREE_QUARTERS, sign: -1 },
  { fault: 'bill.amount_rounding', parameters: { variant: 'half_even' }, script: TIES, sign: -1 },
  { fault: 'bill.amount_rounding', parameters: { variant: 'up' }, script: QUARTER, sign: 1 },
  {
    fault: 'bill.amount_rounding',
    parameters: { variant: 'float' },
    script: THREE_QUARTERS,
    sign: -1,
    says: () => ({ amount: expect.stringMatching(/^0\.\d{9,}$/) }),
  },
  { fault: 'bill.amount_rounding', parameters: { variant: 'six_places' }, script: TEXT, sign: 1 },
  { fault: 'bill.amount_rounding', parameters: { variant: 'per_token' }, script: TIES, sign: 1 },
  {
    fault: 'bill.sci_notation',
    script: TEXT,
    sign: 0,
    says: () => ({ amount: expect.stringMatching(/^\d(\.\d+)?e-\d+$/) }),
  },
  {
    fault: 'bill.number_not_string',
    script: TEXT,
    sign: 0,
    says: ({ amount: text }) => ({ amount: Number(text) }),
  },
  {
    fault: 'bill.comma',
    script: TEXT,
    sign: 0,
    says: ({ amount: text }) => ({ amount: text.replace('.', ',') }),
  },
  { fault: 'bill.negative', script: TEXT, sign: -1, says: ({ amount: text }) => ({ amount: `-${text}` }) },
  {
    fault: 'bill.negative',
    parameters: { variant: 'input_tokens' },
    script: TEXT,
    sign: 0,
    says: (right) => ({ ...content(right), input_tokens: -right.input_tokens }),
  },
];

let trials: BillingTrials;
beforeAll(async () => {
  trials = await BillingTrials.start();
});
afterAll(() => trials.gateway.running.close());

describe('the journal says by how much the bill is wrong, and nothing else is', () => {
  test.each(ROWS.map((row) => [`${row.fault} ${JSON.stringify(row.parameters ?? {})}`, row] as const))(
    '%s',
    async (_name, { fault, parameters = {}, script, nth = 1, sign, says, more = 0, offBooks }) => {
      const right = await trials.right(script);
      let wrong = await trials.wrong(script, { fault, nth, parameters });
      // Late changes of 0 ms come with the next tick, and so do their lines.
      const lines = async (): Promise<number> => {
        if (wrong.faults.length === 0) wrong = await wrong.again();
        return wrong.faults.length;
      };
      await expect.poll(lines, PATIENCE).toBeGreaterThan(0);
      const delta = deltaOf(wrong.faults);
      expect([fault, delta < 0n ? -1 : delta > 0n ? 1 : 0]).toEqual([fault, sign]);
      await expect
        .poll(async () => {
          wrong = await wrong.again();
          return billOf(wrong.records) - billOf(right.records);
        }, PATIENCE)
        .toBe(delta);
      const taken = takenFrom(wrong) - takenFrom(right);
      if (offBooks) expect(taken).not.toBe(delta);
      else expect(taken).toBe(delta);

      const journaled = wrong.calls.reduce((sum, call) => sum + amount(call.amount), 0n);
      const ofCalls = fault === 'bill.phantom_record' ? billOf(right.records) : billOf(wrong.records);
      expect(journaled).toBe(ofCalls);
      expect(amount(wrong.totals.settled_amount)).toBe(
        wrong.records
          .filter(({ billing_status }) => billing_status === 'settled')
          .reduce((sum, record) => sum + amount(record.amount), 0n),
      );
      expect(wrong.totals.records).toBe(wrong.records.length);
      expect(wrong.records).toHaveLength(right.records.length + more);

      for (const [index, requestId] of wrong.requestIds.entries()) {
        const was = right.records.find(({ request_id }) => request_id === right.requestIds[index]);
        if (was === undefined) throw new Error('a call without a record');
        const is = wrong.records.filter(({ request_id }) => request_id === requestId);
        if (index !== nth - 1) expect(is.map(content)).toContainEqual(content(was));
        else if (says !== undefined) {
          const said = says(was);
          expect(is.length === 0).toBe(said === null);
          for (const record of is) expect(record).toMatchObject(said ?? {});
        }
      }
    },
  );

  test('what is added for a call names its request id, or one that no client saw', async () => {
    for (const [fault, own] of [
      ['bill.double_charge', true],
      ['bill.duplicate_record', true],
      ['bill.retry_charge', false],
      ['bill.phantom_record', false],
    ] as const) {
      const { faults, requestIds, records } = await trials.wrong(TEXT, { fault, nth: 1, parameters: {} });
      expect([fault, faults.map(({ request_id }) => requestIds.indexOf(request_id))]).toEqual([
        fault,
        [own ? 0 : -1],
      ]);
      expect(records.filter(({ request_id }) => request_id === faults[0]?.request_id)).toHaveLength(
        own ? 2 : 1,
      );
      expect(faults[0]?.request_id).toMatch(/^[0-9]{20}[0-9a-z]{8}$/);
    }
  });

  test('a request id that is used twice is wrong on both sides', async () => {
    const { faults, requestIds, records } = await trials.wrong(TEXT, {
      fault: 'bill.request_id_reuse',
      nth: 2,
      parameters: {},
    });
    expect(records.map(({ request_id }) => request_id)).toEqual([requestIds[0], requestIds[0]]);
    const amountOfOne = records[0]?.amount;
    expect(faults.map(({ request_id, delta }) => [request_id, delta])).toEqual([
      [requestIds[1], `-${amountOfOne}`],
      [requestIds[0], amountOfOne],
    ]);
  });
});

describe('what finds nothing to do leaves no line and changes nothing', () => {
  test.each<[string, FaultParameters, Script]>([
    ['bill.missing_refund', {}, TEXT],
    ['bill.charge_failed', {}, VIDEOS],
    ['bill.late_refund', {}, TEXT],
    ['bill.zero_on_abort', {}, TEXT],
    ['bill.estimated_unflagged', {}, TEXT],
    ['bill.wrong_version', {}, TEXT],
    ['bill.wrong_rate', { variant: 'cache_read_at_input' }, TEXT],
    ['bill.amount_rounding', { variant: 'up' }, IMAGES],
    ['bill.min_charge', { usd: '0.0000001' }, TEXT],
    ['bill.free_model_charged', {}, TEXT],
    ['bill.missing_record', {}, { calls: [{ ...video(), fails: true }] }],
  ])('%s %j', async (fault, parameters, script) => {
    const right = await trials.right(script);
    const tried = await trials.wrong(script, { fault, nth: 1, parameters });
    expect(tried.faults).toEqual([]);
    expect(tried.records.map(content)).toEqual(right.records.map(content));
    expect(takenFrom(tried)).toBe(takenFrom(right));
  });
});

test.each(['400', '403', '429'])(
  'charged though refused with %s: wrong by the whole amount',
  async (variant) => {
    const right = await trials.right(TEXT);
    const at = { fault: 'bill.charge_rejected', nth: 1, parameters: { variant } };
    const tried = await trials.wrong(TEXT, at);
    expect(tried.statuses).toEqual([Number(variant), 200]);
    expect(tried.records.map(content)).toEqual(right.records.map(content));
    expect(tried.faults.map(({ request_id, delta }) => [request_id, delta])).toEqual([
      [tried.requestIds[0], right.records.at(-1)?.amount],
    ]);
  },
);

test('several faults on one call act one after the other, and their effects add up', async () => {
  const right = await trials.right(TEXT);
  const stacked: Script = {
    calls: TEXT.calls,
    beside: [
      { fault: 'bill.token_mismatch', when: { nth: 1 } },
      { fault: 'bill.multiplier_hidden', when: { nth: 1 }, parameters: { factor: '2' } },
      { fault: 'bill.duplicate_record', when: { every: 1 } },
    ],
  };
  const tried = await trials.wrong(stacked, { fault: 'bill.phantom_record', nth: 1, parameters: {} });
  expect(tried.allFaults.map(({ fault }) => fault)).toEqual([
    'bill.token_mismatch',
    'bill.multiplier_hidden',
    'bill.duplicate_record',
    'bill.phantom_record',
    'bill.duplicate_record',
  ]);
  expect(deltaOf(tried.allFaults)).toBe(billOf(tried.records) - billOf(right.records));
  expect(tried.records).toHaveLength(5);
});

test('the record of another key stands in the bill of that key', async () => {
  const { gateway } = trials;
  const account = z.object({ user_id: z.number() });
  const made = account.parse((await gateway.control('POST', '/accounts', { balance_usd: '1' })).json);
  const keyOf = z.object({ api_key: z.string(), key_fp: z.string() });
  const newKey = async () =>
    keyOf.parse((await gateway.control('POST', '/keys', { user_id: made.user_id })).json);
  const [own, other] = [await newKey(), await newKey()];
  const parameters = { to_key_fp: other.key_fp };
  const entry = { fault: 'bill.wrong_key', when: { nth: 1 }, parameters };
  await gateway.control('PUT', '/faults', { faults: [entry] });
  const { path, body } = chat();
  const answer = await gateway.call('POST', path, body, { authorization: `Bearer ${own.api_key}` });
  const listed = z.object({ data: z.array(z.object({ request_id: z.string() })) });
  const idsOf = async ({ api_key }: { readonly api_key: string }): Promise<string[]> =>
    listed
      .parse(
        (await gateway.call('GET', '/v1/usage/requests', undefined, { authorization: `Bearer ${api_key}` }))
          .json,
      )
      .data.map(({ request_id }) => request_id);
  expect([await idsOf(own), await idsOf(other)]).toEqual([[], [answer.headers.get('x-request-id')]]);
});

describe('late', () => {
  test('a late refund: charged first, refunded after its time; it is not wrong in the end', async () => {
    const right = await trials.right(FAILED);
    const at = { fault: 'bill.late_refund', nth: 1, parameters: { after_ms: 300 } };
    const tried = await trials.wrong(FAILED, at);
    const of = (records: readonly UsageRecord[]) =>
      records.find(({ request_id }) => request_id === tried.requestIds[0]);
    expect(of(tried.records)).toMatchObject({
      billing_status: 'settled',
      result: 'failed',
      refunded_amount: '0',
    });
    expect(tried.faults).toEqual([]);
    await expect
      .poll(async () => of((await tried.again()).records)?.billing_status, PATIENCE)
      .toBe('refunded');
    const settled = await tried.again();
    expect(settled.faults.map(({ delta }) => delta)).toEqual(['0']);
    expect(settled.records.map(content)).toEqual(right.records.map(content));
    expect(takenFrom(settled)).toBe(takenFrom(right));
    // Journaled before it came back, by what it comes to.
    expect(tried.calls.map(({ amount: text }) => text).sort()).toEqual(['0', '1.2']);
  });

  test('a late record: neither listed nor charged, until its time', async () => {
    const right = await trials.right(TEXT);
    const tried = await trials.wrong(TEXT, {
      fault: 'bill.late_record',
      nth: 1,
      parameters: { after_ms: 300 },
    });
    expect(tried.records).toHaveLength(1);
    expect(tried.faults.map(({ delta }) => delta)).toEqual(['0']);
    await expect.poll(async () => (await tried.again()).records.length, PATIENCE).toBe(2);
    const settled = await tried.again();
    expect(settled.records.map(content)).toEqual(right.records.map(content));
    expect(takenFrom(settled)).toBe(takenFrom(right));
  });
});
