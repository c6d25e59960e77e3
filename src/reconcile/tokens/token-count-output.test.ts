import { describe, expect, test } from 'vitest';
import type { AnswerText, CallRow, CallUsage } from '../../contracts/ledger-lines.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { TEXT_SCHEMA } from '../../contracts/schema-names.ts';
import { inputOf, only, recordOf, textRow } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import type { OwnOutputs } from './own-outputs.ts';
import { countByEncoding } from './token-count-encodings.ts';
import { LEAST_CALLS, MOST_COUNTED, NO_OWN_COUNTS } from './token-count-learn.ts';
import { ownOutputs } from './token-count-output.ts';

const WORDS = 'the river runs past old mills and bright fields towards a quiet harbour town'.split(' ');

/** As many words of one token each, another text for each call. */
function textOf(n: number, words = 30 + (n % 40)): string {
  return Array.from({ length: words }, (_, index) => WORDS[(n + index) % WORDS.length]).join(' ');
}

interface Answer {
  readonly text: string;
  readonly output: number;
  readonly usage?: Partial<CallUsage>;
  readonly beside?: AnswerText['beside'];
  readonly row?: Partial<CallRow>;
}

/** Calls whose answers were kept; `told` makes the output tokens from those of the text. */
function answers(count: number, told: (own: number, n: number) => number): readonly Answer[] {
  return Array.from({ length: count }, (_, n) => {
    const text = textOf(n);
    return { text, output: told(countByEncoding('o200k_base', text), n) };
  });
}

function with30(all: readonly Answer[], changes: Partial<Answer>): readonly Answer[] {
  return all.map((answer, n) => (n === 30 ? { ...answer, ...changes } : answer));
}

function rowsOf(all: readonly Answer[]): readonly CallRow[] {
  return all.map(({ text, output, usage, row }, n) =>
    textRow(`c${n}`, {
      text_ref: 'i0-0.texts',
      out_chars: text.length,
      usage: { input: 1000, output, cache_read: 0, cache_write: 0, reasoning: null, raw: {}, ...usage },
      ...row,
    }),
  );
}

function counted(all: readonly Answer[], rows = rowsOf(all)): Promise<OwnOutputs> {
  const texts = new Map<string, AnswerText>(
    all.map(({ text, beside }, n) => [
      `call-c${n}`,
      { schema: TEXT_SCHEMA, call_id: `call-c${n}`, beside: beside ?? [], text },
    ]),
  );
  return ownOutputs(rows, async (asked) => new Map([...texts].filter(([id]) => isOf(asked, id))));
}

function isOf(rows: readonly CallRow[], id: string): boolean {
  return rows.some((row) => row.call_id === id && row.text_ref !== null);
}

/** A bill in which every record agrees with its answer, or tells `recorded` output tokens. */
async function bill(all: readonly Answer[], recorded?: number): Promise<Reconciliation> {
  const rows = rowsOf(all);
  const records = rows.map((row, index) => {
    const output = recorded ?? row.usage?.output ?? 0;
    const amount = `0.${String(2000 + output * 8).padStart(6, '0')}`;
    return recordOf(`c${index}`, {
      output_tokens: output,
      amount,
      reserved_amount: amount,
      refunded_amount: '0',
    });
  });
  const outputs = await counted(all, rows);
  return reconcile({
    ...inputOf({ rows, sweeps: [{ records }] }),
    own_counts: { ...NO_OWN_COUNTS, outputs },
  });
}

describe('an answer and its record that agree on other output tokens than the text has', () => {
  test('are found by the count of the text with what nearly all answers are told beyond it', async () => {
    const result = await bill(answers(60, (own, n) => (n === 30 ? own + 2 + 10 : own + 2)));
    expect(only(result)).toMatchObject({
      class: 'token_mismatch',
      rule: 'own_count_output',
      confidence: 'strong',
      direction: 'over',
      call_id: 'call-c30',
      delta_exact: null,
      delta_min: '0',
      delta_max: '0.00008',
      bridge: 'none',
    });
    expect(result.calls.filter(({ verdict }) => verdict === 'finding').map(({ call_id }) => call_id)).toEqual(
      ['call-c30'],
    );
    expect(result.coverage.settings.find(({ name }) => name === 'own_output_count')?.value).toBe(
      '60 of 60 text calls',
    );
  });

  test('are found as well where they tell fewer', async () => {
    const result = await bill(answers(60, (own, n) => (n === 30 ? own - 20 : own)));
    expect(only(result)).toMatchObject({
      class: 'token_mismatch',
      rule: 'own_count_output',
      direction: 'under',
      delta_min: '-0.00016',
      delta_max: '0',
    });
  });

  test('are found beside their reasoning, where it tells how much that was', async () => {
    const usage = { reasoning: 64 };
    const all = answers(60, (own) => own + 64).map((answer) => ({ ...answer, usage }));
    expect((await bill(all)).findings).toEqual([]);
    const more = all.map((answer, n) => (n === 30 ? { ...answer, output: answer.output + 9 } : answer));
    expect(only(await bill(more))).toMatchObject({ rule: 'own_count_output', direction: 'over' });
    const fewer = all.map((answer, n) => (n === 30 ? { ...answer, output: answer.output - 9 } : answer));
    expect((await bill(fewer)).findings).toEqual([]);
  });

  test('are not, where the record differs from the answer: that is told as such', async () => {
    const rules = (
      await bill(
        answers(60, (own, n) => (n === 30 ? own + 20 : own)),
        500,
      )
    ).findings.map(({ rule }) => rule);
    expect(rules).not.toContain('own_count_output');
    expect(rules).toContain('output');
  });

  test('are not within what other tokens of the same text and a cut character can make', async () => {
    const off = (by: number) => bill(answers(60, (own, n) => (n === 30 ? own + by : own)));
    expect((await off(4)).findings).toEqual([]);
    expect((await off(5)).findings).toHaveLength(1);
    expect((await off(-4)).findings).toEqual([]);
    expect((await off(-5)).findings).toHaveLength(1);
    const long = { text: textOf(1, 1000), output: 1018 };
    const all = answers(60, (own) => own).map((answer, n) =>
      n === 31 ? { text: textOf(2, 1100), output: 1100 } : answer,
    );
    expect((await bill(with30(all, long))).findings).toEqual([]);
    expect((await bill(with30(all, { ...long, output: 1026 }))).findings).toHaveLength(1);
  });
});

describe('nothing is said', () => {
  const HONEST = answers(60, (own) => own + 1);
  const TWICE = { output: 500 };

  test.each<readonly [string, Partial<Answer>]>([
    ['of an answer that calls a tool', { ...TWICE, beside: ['other'] }],
    ['of an answer that ends with a call of a tool', { ...TWICE, row: { finish: 'tool_calls' } }],
    ['of a refusal', { ...TWICE, beside: ['refusal'] }],
    ['of an answer after calls of tools that the target ran', { ...TWICE, row: { tools: { search: 1 } } }],
    ['of an answer whose text was not kept', { ...TWICE, row: { text_ref: null } }],
    ['of a text longer than any that showed how it is counted', { text: textOf(0, 300), output: 400 }],
    ['of a text of a few tokens', { text: 'the river', output: 300 }],
    ['of a very long text', { ...TWICE, row: { out_chars: 40_000 } }],
  ])('%s', async (_, changes) => {
    const { calls, text_calls } = await counted(with30(HONEST, changes));
    expect([calls.has('call-c30'), calls.size, text_calls]).toEqual([false, 59, 60]);
    expect((await bill(with30(HONEST, changes))).findings).toEqual([]);
  });

  test('of an answer that ended in another way than those that show what is added', async () => {
    const { calls } = await counted(with30(HONEST, { ...TWICE, row: { finish: 'length' } }));
    expect([calls.has('call-c30'), calls.size]).toEqual([false, 59]);
  });

  test('of answers of a model that reasons, where they tell not how much', async () => {
    const told = HONEST.map((answer, n) => (n < 3 ? { ...answer, usage: { reasoning: 5 } } : answer));
    expect((await counted(told)).calls.size).toBe(0);
    const shown = with30(HONEST, { output: 500, beside: ['reasoning'] });
    expect((await counted(shown)).calls.size).toBe(0);
  });

  test.each<readonly [string, (own: number, n: number) => number]>([
    ['of a model that inflates in proportion', (own) => Math.ceil(own * 1.2)],
    ['of a model that counts in another way', (own, n) => Math.ceil(textOf(n).length / 4) + (own - own)],
    ['where every eighth is told more', (own, n) => (n % 8 === 0 ? own + 30 : own)],
    ['where nearly all are told less than they have', (own) => own - 3],
  ])('%s', async (_, told) => {
    expect((await counted(answers(60, told))).calls.size).toBe(0);
    expect((await bill(answers(60, told))).findings).toEqual([]);
  });

  test('of too few answers', async () => {
    expect((await counted(answers(LEAST_CALLS - 1, (own) => own))).calls.size).toBe(0);
    expect((await counted(answers(LEAST_CALLS, (own) => own))).calls.size).toBe(LEAST_CALLS);
  });
});

test('of many answers a part is counted, the same one in whatever order they come, and no other text is asked for', async () => {
  const all = answers(MOST_COUNTED + 10, (own) => own);
  const ids = [...(await counted(all)).calls.keys()].sort();
  expect(ids).toHaveLength((MOST_COUNTED + 10) / 2);
  expect([...(await counted(all, rowsOf(all).toReversed())).calls.keys()].sort()).toEqual(ids);
  let asked = 0;
  const rows = rowsOf(all);
  const read = async (some: readonly CallRow[]): Promise<ReadonlyMap<string, AnswerText>> => {
    asked += some.length;
    return new Map();
  };
  await ownOutputs(rows, read);
  await ownOutputs(rows, read);
  expect(asked).toBe(ids.length);
});
