import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { parseAmount } from '../../../core/amount.ts';
import { startTestGateway, type TestGateway } from '../../parts/gateway.test-support.ts';

const LONG = Array.from({ length: 1400 }, (_, index) => `word${index}`).join(' ');
const usage = z.object({
  usage: z.object({
    prompt_tokens_details: z.object({ cached_tokens: z.number(), cache_write_tokens: z.number() }),
  }),
});
const journal = z.object({
  lines: z.array(
    z.looseObject({ type: z.string(), fault: z.string().optional(), delta: z.string().optional() }),
  ),
});

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function asked(on: TestGateway, model: string, variant: string | null) {
  const messages = [
    { role: 'user', content: LONG },
    { role: 'user', content: 'and now?' },
  ];
  const header = variant === null ? {} : { 'x-weighbridge-fault': `cache.withhold; variant=${variant}` };
  const answer = await on.call('POST', '/v1/chat/completions', { model, messages, max_tokens: 3 }, header);
  const [record] = await on.records();
  return { told: usage.parse(answer.json).usage.prompt_tokens_details, record };
}

async function deltas(on: TestGateway): Promise<readonly string[]> {
  const { lines } = journal.parse((await on.control('GET', '/journal')).json);
  return lines.flatMap(({ fault, delta }) =>
    fault === 'cache.withhold' && delta !== undefined ? [delta] : [],
  );
}

test.each([
  ['plain', 'aspen-mini', 0],
  ['written_again', 'aspen-mini', 0],
  ['plain', 'cedar-haiku', 0],
  ['written_again', 'cedar-haiku', 1],
])(
  '%s of %s: answer and record tell no hit, and the journal what that costs',
  async (variant, model, writes) => {
    const on = await startTestGateway();
    gateway = on;
    await asked(on, model, null);
    const hit = await asked(on, model, null);
    const owed = hit.told.cached_tokens;
    expect(owed).toBeGreaterThan(1024);
    const withheld = await asked(on, model, variant);
    expect(withheld.told).toEqual({ cached_tokens: 0, cache_write_tokens: writes * owed });
    expect(withheld.record).toMatchObject({ cache_read_tokens: 0, cache_write_tokens: writes * owed });
    expect(withheld.record?.input_tokens).toBe(hit.record?.input_tokens);
    const more = (parseAmount(withheld.record?.amount) ?? 0n) - (parseAmount(hit.record?.amount) ?? 0n);
    expect((await deltas(on)).map((delta) => parseAmount(delta))).toEqual([more]);
    expect(more).toBeGreaterThan(0n);
    // The prefix is still in the cache.
    expect((await asked(on, model, null)).told.cached_tokens).toBe(owed);
  },
);

test('nothing fires where no hit was owed', async () => {
  gateway = await startTestGateway();
  expect((await asked(gateway, 'cedar-haiku', 'plain')).told.cache_write_tokens).toBeGreaterThan(1024);
  expect(await deltas(gateway)).toEqual([]);
});
