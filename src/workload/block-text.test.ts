import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { BLOCK_BYTES, blockText } from './block-text.ts';
import { markedPrompt, planCall } from './call-plan.ts';
import { scenarioOf, textOf } from './plan.test-support.ts';

const MARKER = 'wb0123456789abcdef';

/** The prompt of a start of so many tokens. */
function promptOf(hash_ids: readonly number[], tokens: number, n = 0, seed = 7): string {
  const start = { prompt_bytes: tokens * 5, max_tokens: 1, stream: true, hash_ids };
  return markedPrompt(planCall(seed, scenarioOf({ text: textOf() }), n, { start }), MARKER);
}

function shared(left: string, right: string): number {
  let bytes = 0;
  while (bytes < left.length && left[bytes] === right[bytes]) bytes += 1;
  return bytes;
}

it('gives two calls the prefix that their ids share, and no block more', () => {
  const [left, right] = [promptOf([1, 2, 3], 1_536, 0), promptOf([1, 2, 4], 1_536, 1)];
  expect(shared(left, right)).toBeGreaterThanOrEqual(2 * BLOCK_BYTES);
  expect(shared(left, right)).toBeLessThan(2 * BLOCK_BYTES + 40);
  expect(shared(left, promptOf([3, 2, 1], 1_536, 2))).toBeLessThan(40);
});

it('shares all but the marker where all ids are the same, and nothing under another seed', () => {
  const [left, right] = [promptOf([5, 6], 1_024, 0), promptOf([5, 6, 7], 2_000, 1)];
  expect(shared(left, right)).toBe(2 * BLOCK_BYTES - 21);
  expect(left.slice(-21)).toMatch(new RegExp(`^ ${MARKER} .$`));
  expect(shared(left, promptOf([5, 6], 1_024, 0, 8))).toBeLessThan(40);
});

it('has whole tokens in a block, and of a prompt about as many as the trace says', () => {
  const text = blockText([8, 9], 2 * BLOCK_BYTES, 7);
  const [first, second] = [text.slice(0, BLOCK_BYTES), text.slice(BLOCK_BYTES)];
  expect(countTokens(text)).toBe(countTokens(first) + countTokens(second));
  const ids = Array.from({ length: 40 }, (_, id) => id);
  for (const tokens of [600, 5_000, 20_480]) {
    const found = countTokens(promptOf(ids.slice(0, Math.ceil(tokens / 512)), tokens));
    expect(Math.abs(found / tokens - 1)).toBeLessThan(0.05);
  }
});

it('ends with a space or a line end, whatever its length', () => {
  for (const bytes of [2, 100, BLOCK_BYTES, BLOCK_BYTES + 1]) {
    expect(blockText([1, 2], bytes, 7)).toMatch(/\s$/);
    expect(blockText([1, 2], bytes, 7)).toHaveLength(bytes);
  }
  expect(blockText([], 100, 7)).toBe('');
  expect(blockText([1], 1, 7)).toBe('');
});
