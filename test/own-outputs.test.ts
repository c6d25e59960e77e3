import { expect, test } from 'vitest';
import { TEXT_SCHEMA } from '../src/contracts/schema-names.ts';
import { CallRandom } from '../src/gateway/chance/call-random.ts';
import { TEXT_MODELS } from '../src/gateway/models/text-models.ts';
import { writeReply } from '../src/gateway/text/reply-text.ts';
import { countTokens } from '../src/gateway/tokens/count-tokens.ts';
import { textRow } from '../src/reconcile/rows.test-support.ts';
import { ownOutputs } from '../src/reconcile/tokens/token-count-output.ts';

interface Reply {
  readonly text: string;
  readonly tokens: number;
  readonly finish: 'stop' | 'length';
}

/** How far an own count of these replies is from what was told, of those that were counted. */
async function beyond(model: string, replies: readonly Reply[]): Promise<readonly number[]> {
  const rows = replies.map(({ text, tokens, finish }, n) =>
    textRow(`${n}`, {
      model,
      finish,
      text_ref: 'i0-0.texts',
      out_chars: text.length,
      usage: { input: 1, output: tokens, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
    }),
  );
  const texts = new Map(
    replies.map(({ text }, n) => {
      const call_id = `call-${n}`;
      return [call_id, { schema: TEXT_SCHEMA, call_id, beside: [], text }] as const;
    }),
  );
  const { calls } = await ownOutputs(rows, async () => texts);
  return [...calls.values()].map(({ told, text, added }) => told - text - added);
}

/** Both sides count for themselves: what the gateway tells of its replies, and what the auditor makes of their texts. */
test.each([
  ['that end by themselves', true, () => 4096],
  ['that a limit cuts', true, () => 20],
  ['of a few tokens', false, () => 3],
  ['of all lengths', true, (n: number) => 1 + ((n * 37) % 300)],
  ['mostly of a few tokens', false, (n: number) => (n % 25 === 0 ? 300 : 2)],
])(
  'an honest gateway is not accused of answers %s, whatever its models count by',
  async (_, shown, limitOf) => {
    const seen = { learnt: 0, silent: 0 };
    for (const model of TEXT_MODELS) {
      const replies = Array.from({ length: 200 }, (__, n) => {
        const { text, tokens, finish } = writeReply(
          model,
          limitOf(n),
          new CallRandom(1, '/v1/chat', model.id, `${n}`).reply(),
        );
        return { text, tokens, finish };
      });
      const off = await beyond(model.id, replies);
      expect({ model: model.id, off: off.filter((by) => by !== 0) }).toEqual({ model: model.id, off: [] });
      seen[off.length === 0 ? 'silent' : 'learnt'] += 1;
    }
    const counted = TEXT_MODELS.filter(({ tokenizer }) => shown && tokenizer === 'o200k_base').length;
    expect(seen).toEqual({ learnt: counted, silent: TEXT_MODELS.length - counted });
  },
);

const ODD = [
  'naïve café 🌊🐚 ',
  '河の水は静かに流れる。',
  '  \n\t\u2028',
  'e\u0301\u200d👩‍👩‍👧‍👦',
  'x'.repeat(40),
  '١٢٣ <|endoftext|> ',
];

test('texts of all scripts are counted as the gateway counts them', async () => {
  const replies = Array.from({ length: 120 }, (_, n) => {
    const text = Array.from({ length: 3 + (n % 9) }, (__, index) => ODD[(n + index) % ODD.length]).join('');
    return { text, tokens: countTokens('o200k_base', text), finish: 'stop' as const };
  });
  const off = await beyond('aspen-mini', replies);
  expect(off.length).toBeGreaterThan(110);
  expect(off.filter((by) => by !== 0)).toEqual([]);
});

test('answers without a text say nothing', async () => {
  const replies = Array.from({ length: 60 }, () => ({ text: '', tokens: 900, finish: 'stop' as const }));
  expect(await beyond('aspen-mini', replies)).toEqual([]);
});
