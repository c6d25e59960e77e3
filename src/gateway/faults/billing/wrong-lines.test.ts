import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../../contracts/interface.ts';
import { formatAmount } from '../../../core/amount.ts';
import { divideRounded } from '../../../core/rounding.ts';
import type { FaultParameters } from '../../hooks/fault-definition.ts';
import {
  BillingTrials,
  billOf,
  content,
  deltaOf,
  type Script,
  takenFrom,
} from './billing-trial.test-support.ts';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';
/** Tokens that this gateway's template adds to one message of a model that counts bytes. */
const TEMPLATE = 7;

function chat(model: string, over: object = {}) {
  const messages = [{ role: 'user', content: 'tell of the harbor' }];
  return { path: CHAT, body: { model, max_tokens: 40, messages, ...over } };
}

/** A prompt that counts so many tokens, template included. */
function prompt(model: string, tokens: number): Script {
  const messages = [{ role: 'user', content: 'x'.repeat(4 * (tokens - TEMPLATE)) }];
  return { calls: [chat(model, { messages })] };
}

/** The first call writes 1,505 tokens to the cache, the second reads them; both have some 2,300 tokens in all. */
const CACHED: Script = {
  calls: ['one', 'two'].map((end) => ({
    path: MESSAGES,
    body: {
      model: 'maple-long',
      max_tokens: 20,
      messages: [
        { role: 'user', content: 'y'.repeat(4 * 1500) },
        { role: 'user', content: end + 'z'.repeat(4 * 800) },
      ],
    },
  })),
};
const search = (over: object): Script => ({
  calls: [
    { path: RESPONSES, body: { model: 'rowan-search', input: 'tides', max_output_tokens: 9, ...over } },
  ],
});
const SEARCHED = search({ tools: [{ type: 'web_search' }] });
const NOT_SEARCHED = search({});
const THINKING: Script = { calls: [chat('oak-think')] };
const DEEP: Script = { calls: [chat('oak-think-deep')] };
const served = (service_tier: string): Script => ({ calls: [chat('pine', { service_tier })] });

/** Terms of tokens and USD per 1,000,000 of them, with further USD; rounded half up at 8 decimals. */
function usd(terms: readonly (readonly [tokens: number, price: number])[], further = 0): string {
  const pico = terms.reduce(
    (sum, [tokens, price]) => sum + BigInt(tokens) * BigInt(Math.round(price * 1e6)),
    BigInt(Math.round(further * 1e12)),
  );
  return formatAmount(divideRounded(pico, 10_000n, 'half_up') * 10_000n);
}

const inOut = ({ input_tokens, output_tokens }: UsageRecord, input: number, output: number): string =>
  usd([
    [input_tokens, input],
    [output_tokens, output],
  ]);
const cached = (of: UsageRecord, input: number, read: number, write: number, output: number): string =>
  usd([
    [of.input_tokens - of.cache_read_tokens - of.cache_write_tokens, input],
    [of.cache_read_tokens, read],
    [of.cache_write_tokens, write],
    [of.output_tokens, output],
  ]);
/** Of the only call of THINKING and of DEEP, which draw them by seed. */
const REASONING = 20;

interface Row {
  readonly fault: string;
  readonly variant: string;
  readonly script: Script;
  readonly nth?: number;
  readonly sign: 1 | -1;
  /** The amount of the hit record without the fault, and with it. */
  readonly right: (record: UsageRecord) => string;
  readonly wrong: (right: UsageRecord) => object;
}

const TIER = 'bill.tier_not_applied';
const SERVICE = 'bill.service_tier_price';
const TOOL = 'bill.tool_surcharge';
const REASON = 'bill.reasoning_double_count';

const ROWS: readonly Row[] = [
  {
    fault: TIER,
    variant: 'base',
    script: prompt('maple-long', 2001),
    sign: -1,
    right: (record) => inOut(record, 2.2, 13.2),
    wrong: (right) => ({ amount: inOut(right, 1.1, 8.8) }),
  },
  {
    fault: TIER,
    variant: 'base',
    script: prompt('maple-steps', 3000),
    sign: -1,
    right: (record) => inOut(record, 2.1, 11.2),
    wrong: (right) => ({ amount: inOut(right, 0.7, 2.8) }),
  },
  {
    fault: TIER,
    variant: 'other_edge',
    script: prompt('maple-long', 2000),
    sign: 1,
    right: (record) => inOut(record, 1.1, 8.8),
    wrong: (right) => ({ amount: inOut(right, 2.2, 13.2) }),
  },
  {
    fault: TIER,
    variant: 'other_edge',
    script: prompt('maple-steps', 3000),
    sign: -1,
    right: (record) => inOut(record, 2.1, 11.2),
    wrong: (right) => ({ amount: inOut(right, 1.4, 5.6) }),
  },
  {
    fault: TIER,
    variant: 'without_cache',
    script: CACHED,
    nth: 2,
    sign: -1,
    right: (record) => cached(record, 2.2, 0.22, 2.75, 13.2),
    wrong: (right) => ({ amount: cached(right, 1.1, 0.11, 1.375, 8.8) }),
  },
  {
    fault: TIER,
    variant: 'graduated',
    script: prompt('maple-steps', 3500),
    sign: -1,
    right: (record) => inOut(record, 2.1, 11.2),
    wrong: ({ output_tokens }) => ({
      amount: usd([
        [999, 0.7],
        [2000, 1.4],
        [501, 2.1],
        [output_tokens, 2.8],
      ]),
    }),
  },
  {
    fault: TIER,
    variant: 'graduated',
    script: CACHED,
    nth: 2,
    sign: -1,
    right: (record) => cached(record, 2.2, 0.22, 2.75, 13.2),
    // The prefix of 1,505 lies below the edge, and so do 495 tokens after it.
    wrong: ({ input_tokens, output_tokens, cache_read_tokens }) => ({
      amount: usd([
        [cache_read_tokens, 0.11],
        [2000 - cache_read_tokens, 1.1],
        [input_tokens - 2000, 2.2],
        [output_tokens, 8.8],
      ]),
    }),
  },
  {
    fault: TIER,
    variant: 'output_at_base',
    script: prompt('maple-long', 2400),
    sign: -1,
    right: (record) => inOut(record, 2.2, 13.2),
    wrong: (right) => ({ amount: inOut(right, 2.2, 8.8) }),
  },
  {
    fault: SERVICE,
    variant: 'as_default',
    script: served('priority'),
    sign: -1,
    right: (record) => inOut(record, 3.4, 13.6),
    wrong: (right) => ({ amount: inOut(right, 1.7, 6.8) }),
  },
  {
    fault: SERVICE,
    variant: 'as_priority',
    script: served('auto'),
    sign: 1,
    right: (record) => inOut(record, 1.7, 6.8),
    wrong: (right) => ({ amount: inOut(right, 3.4, 13.6) }),
  },
  {
    fault: SERVICE,
    variant: 'as_flex',
    script: served('default'),
    sign: -1,
    right: (record) => inOut(record, 1.7, 6.8),
    wrong: (right) => ({ amount: inOut(right, 0.85, 3.4) }),
  },
  {
    fault: TOOL,
    variant: 'one_more',
    script: NOT_SEARCHED,
    sign: 1,
    right: (record) => inOut(record, 0.9, 3.6),
    wrong: ({ input_tokens, output_tokens }) => ({
      amount: usd(
        [
          [input_tokens, 0.9],
          [output_tokens, 3.6],
        ],
        0.01,
      ),
    }),
  },
  {
    fault: TOOL,
    variant: 'omitted',
    script: SEARCHED,
    sign: -1,
    right: ({ amount }) => amount,
    wrong: (right) => ({ amount: inOut(right, 0.9, 3.6) }),
  },
  {
    fault: REASON,
    variant: 'counted_twice',
    script: THINKING,
    sign: 1,
    right: (record) => inOut(record, 1.3, 5.2),
    wrong: ({ input_tokens, output_tokens }) => ({
      output_tokens: output_tokens + REASONING,
      amount: usd([
        [input_tokens, 1.3],
        [output_tokens + REASONING, 5.2],
      ]),
    }),
  },
  {
    fault: REASON,
    variant: 'charged_twice',
    script: DEEP,
    sign: 1,
    right: ({ input_tokens, output_tokens }) =>
      usd([
        [input_tokens, 2.6],
        [output_tokens - REASONING, 10.4],
        [REASONING, 7.8],
      ]),
    wrong: ({ input_tokens, output_tokens }) => ({
      output_tokens,
      amount: usd([
        [input_tokens, 2.6],
        [output_tokens, 10.4],
        [REASONING, 7.8],
      ]),
    }),
  },
  {
    fault: REASON,
    variant: 'omitted',
    script: DEEP,
    sign: -1,
    right: ({ amount }) => amount,
    wrong: ({ input_tokens, output_tokens }) => ({
      output_tokens: output_tokens - REASONING,
      amount: usd([
        [input_tokens, 2.6],
        [output_tokens - REASONING, 10.4],
      ]),
    }),
  },
];

let trials: BillingTrials;
beforeAll(async () => {
  trials = await BillingTrials.start();
});
afterAll(() => trials.gateway.running.close());

describe('price lines beside those of plain tokens', () => {
  test.each(ROWS.map((row) => [`${row.fault} ${row.variant}`, row] as const))('%s', async (_name, row) => {
    const { fault, variant, script, nth = 1, sign } = row;
    const right = await trials.right(script);
    const tried = await trials.wrong(script, { fault, nth, parameters: { variant } });
    const of = (records: readonly UsageRecord[], ids: readonly string[]): UsageRecord => {
      const [record, ...others] = records.filter(({ request_id }) => request_id === ids[nth - 1]);
      if (record === undefined || others.length > 0) throw new Error('not one record');
      return record;
    };
    const was = of(right.records, right.requestIds);
    expect(was.amount).toBe(row.right(was));
    const is = of(tried.records, tried.requestIds);
    expect(content(is)).toEqual({ ...content(was), ...row.wrong(was), refunded_amount: is.refunded_amount });
    const delta = deltaOf(tried.faults);
    expect(delta).toBe(billOf(tried.records) - billOf(right.records));
    expect(delta).toBe(takenFrom(tried) - takenFrom(right));
    expect(tried.faults.map(({ request_id }) => request_id)).toEqual([tried.requestIds[nth - 1]]);
    expect(delta > 0n ? 1 : -1).toBe(sign);
  });

  test.each<[string, FaultParameters, Script]>([
    [TIER, { variant: 'base' }, prompt('maple-long', 2000)],
    [TIER, { variant: 'base' }, { calls: [chat('aspen-mini')] }],
    [TIER, { variant: 'other_edge' }, prompt('maple-long', 2001)],
    [TIER, { variant: 'without_cache' }, prompt('maple-long', 2400)],
    [SERVICE, { variant: 'as_priority' }, served('priority')],
    [SERVICE, { variant: 'as_priority' }, { calls: [chat('aspen-mini')] }],
    [TOOL, { variant: 'omitted' }, NOT_SEARCHED],
    [TOOL, { variant: 'one_more' }, { calls: [chat('aspen-mini')] }],
    [REASON, { variant: 'omitted' }, { calls: [chat('aspen-mini')] }],
    [REASON, { variant: 'counted_twice' }, { calls: [chat('oak-think', { max_tokens: 1 })] }],
  ])('%s %j finds nothing to do elsewhere', async (fault, parameters, script) => {
    const right = await trials.right(script);
    const tried = await trials.wrong(script, { fault, nth: 1, parameters });
    expect(tried.faults).toEqual([]);
    expect(tried.records.map(content)).toEqual(right.records.map(content));
  });
});
