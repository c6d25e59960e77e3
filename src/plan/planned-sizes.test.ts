import { describe, expect, it } from 'vitest';
import type { TextShape } from '../contracts/plan.ts';
import { MARKER_BYTES, planCall, utf8Length } from '../workload/call-plan.ts';
import { scenarioOf, textOf } from '../workload/plan.test-support.ts';
import { largestCall, outputTokens, plannedSizes, promptBytes, type SizeSources } from './planned-sizes.ts';

const SEED = 7;
const NONE: SizeSources = { prompts: null, trace: null };
const TEXTS = ['one', 'two words', 'drei Wörter hier', 'a fourth prompt'];
const SIZES = [120, 150, 180, 500, 900, 1_300, 2_000];
const PROMPTS = {
  path: '/p.txt',
  sha256: 'x',
  count: TEXTS.length,
  max_bytes: Math.max(...TEXTS.map(utf8Length)),
  order: 'random',
} as const;
const SESSION = { turns: [1, 3, 4], think_ms: 0 };

function shape(changes: Partial<TextShape>) {
  const text = textOf(changes);
  return { ...scenarioOf({ text }), text };
}

const SHAPES: readonly (readonly [string, Partial<TextShape>])[] = [
  ['one size', {}],
  ['a table of sizes', { prompt_bytes: SIZES, max_tokens: [1, 20, 300] }],
  ['a beginning in common', { prompt_bytes: SIZES, cached_share: 0.5 }],
  ['padding', { prompt_bytes: SIZES, watermark: { modulus: 64, of: 3, first: 1 } }],
  [
    'padding that is longer than the prompt',
    { prompt_bytes: [40, 90], watermark: { modulus: 256, of: 1, first: 0 } },
  ],
  [
    'prompts in turn',
    { prompts: { ...PROMPTS, order: 'in_turn' }, watermark: { modulus: 16, of: 1, first: 0 } },
  ],
  ['prompts in a random order', { prompts: PROMPTS }],
  [
    'sessions',
    {
      prompt_bytes: SIZES,
      max_tokens: [5, 50],
      session: SESSION,
      watermark: { modulus: 9, of: 2, first: 1 },
    },
  ],
  ['sessions of prompts', { prompts: PROMPTS, session: SESSION }],
];

describe('the sizes of planned calls', () => {
  it.each(SHAPES)('are those of the calls that are made: %s', (_name, changes) => {
    const scenario = shape(changes);
    const sources = scenario.text.prompts === null ? NONE : { ...NONE, prompts: TEXTS.map(utf8Length) };
    const starts = 45;
    let calls = 0;
    let output = 0;
    for (let n = 0; n < starts; n += 1) {
      for (let turn = 1, turns = 1; turn <= turns; turn += 1) {
        const call = planCall(SEED, scenario, n, { turn, prompts: TEXTS });
        turns = call.turns;
        const bytes = utf8Length(call.lead) + utf8Length(call.rest) + MARKER_BYTES;
        expect(promptBytes(SEED, scenario, n, turn, sources)).toBe(bytes);
        expect(outputTokens(SEED, scenario, n, turn, sources)).toBe(call.max_tokens);
        expect(bytes).toBeLessThanOrEqual(largestCall(scenario, sources).bytes);
        calls += 1;
        output += call.max_tokens ?? 0;
      }
    }
    const sums = plannedSizes(SEED, scenario, starts, sources);
    expect([sums.calls, sums.output_tokens]).toEqual([calls, output]);
    expect(sums.cacheable_tokens).toBeLessThan(sums.input_tokens);
  });

  it('are summed exactly over whole blocks of a table and what is left over', () => {
    const scenario = shape({ prompt_bytes: SIZES });
    let bytes = 0;
    for (let n = 0; n < 1_000; n += 1) bytes += promptBytes(SEED, scenario, n, 1, NONE);
    expect(plannedSizes(SEED, scenario, 1_000, NONE).input_tokens).toBe(bytes / 5);
  });

  it('take a word of padding for a token of its own', () => {
    const watermark = { modulus: 2, of: 1, first: 0 };
    const plain = plannedSizes(SEED, shape({ prompt_bytes: 500 }), 10, NONE);
    const padded = plannedSizes(SEED, shape({ prompt_bytes: 500, watermark }), 10, NONE);
    // Five of ten calls hold one word: two bytes less of other text, and one token more.
    expect(padded.input_tokens - plain.input_tokens).toBe(3);
  });

  it('grow with each turn by the prompt and the answer before it', () => {
    const session = { turns: 3, think_ms: 0 };
    const sums = plannedSizes(SEED, shape({ prompt_bytes: 500, max_tokens: 40, session }), 2, NONE);
    expect(sums).toEqual({
      calls: 6,
      input_tokens: 2 * (100 + (100 + 140) + (100 + 280)),
      cacheable_tokens: 2 * (140 + 280),
      output_tokens: 6 * 40,
    });
    expect(largestCall(shape({ prompt_bytes: 500, session }), NONE)).toEqual({ bytes: 1_500, answers: 2 });
  });

  it('count a beginning in common from the second call on', () => {
    const sums = plannedSizes(SEED, shape({ prompt_bytes: 500, cached_share: 0.5 }), 5, NONE);
    expect([sums.input_tokens, sums.cacheable_tokens]).toEqual([500, 200]);
    expect(plannedSizes(SEED, shape({ cached_share: 0.5 }), 1, NONE).cacheable_tokens).toBe(0);
  });

  it('are those of the trace where it names them', () => {
    const trace = [
      { prompt_bytes: 5_000, max_tokens: 9 },
      { prompt_bytes: null, max_tokens: null },
    ];
    const sums = plannedSizes(SEED, shape({ prompt_bytes: 500, max_tokens: 40 }), 2, { ...NONE, trace });
    expect([sums.input_tokens, sums.output_tokens]).toEqual([1_100, 49]);
    expect(largestCall(shape({}), { ...NONE, trace }).bytes).toBe(5_000);
  });
});

describe('what the user adds to each request', () => {
  const body = JSON.stringify({ tools: 'ü'.repeat(50) });
  const bytes = utf8Length(body);

  it('is input of each call', () => {
    const sizes = (changes: Partial<TextShape>, more: { body?: string }) =>
      plannedSizes(SEED, { ...shape(changes), ...more }, 10, NONE).input_tokens;
    const added = sizes({}, { body }) - sizes({}, {});
    expect(added).toBeGreaterThan(10 * (bytes / 6));
    const session = { session: { turns: 3, think_ms: 0 } };
    const each = sizes(session, { body }) - sizes(session, {});
    expect(Math.abs(each - 3 * added)).toBeLessThanOrEqual(30);
  });

  it('stands once in the largest call', () => {
    const scenario = shape({ session: { turns: 3, think_ms: 0 } });
    expect(largestCall({ ...scenario, body }, NONE).bytes - largestCall(scenario, NONE).bytes).toBe(bytes);
  });
});
