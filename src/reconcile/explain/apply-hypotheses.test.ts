import { describe, expect, test } from 'vitest';
import type { Finding } from '../../contracts/finding.ts';
import { archivedBook, judge } from '../reconcile.test-support.ts';
import {
  documentOf,
  dueOf,
  MODEL,
  outline,
  pairOf,
  pico,
  rounded,
  sumOfDeltas,
  type Tokens,
  textModel,
  tokensOf,
} from './hypotheses.test-support.ts';

type Pair = ReturnType<typeof pairOf>;

function judged(pairs: readonly Pair[], document: unknown = documentOf()) {
  return judge({
    rows: pairs.map(({ row }) => row),
    sweeps: [{ records: pairs.map(({ record }) => record) }],
    books: [archivedBook(document)],
  });
}

/** Calls charged by a rule of the test's own. */
function charged(
  count: number,
  amountOf: (tokens: Tokens, index: number) => bigint,
  from = 0,
): readonly Pair[] {
  return Array.from({ length: count }, (_, index) => {
    const tokens = tokensOf(from + index);
    return pairOf(`${String(from + index).padStart(4, '0')}`, tokens, amountOf(tokens, index));
  });
}

const RULES: readonly (readonly [string, string, (tokens: Tokens) => bigint])[] = [
  [
    'cache_double_charge',
    'cache_both',
    ({ input, output, read, write }) => rounded(pico([input, 3], [read, 0.3], [write, 3.75], [output, 15])),
  ],
  [
    'cache_read_at_full_price',
    'read_as_input',
    ({ input, output, write }) => rounded(pico([input - write, 3], [write, 3.75], [output, 15])),
  ],
  [
    'cache_write_unbilled',
    'write_as_read',
    ({ input, output, read, write }) =>
      rounded(pico([input - read - write, 3], [read + write, 0.3], [output, 15])),
  ],
  [
    'cache_write_unbilled',
    'write_free',
    ({ input, output, read, write }) => rounded(pico([input - read - write, 3], [read, 0.3], [output, 15])),
  ],
  [
    'amount_mismatch',
    'output_at_input',
    ({ input, output, read, write }) =>
      rounded(pico([input - read - write, 3], [read, 0.3], [write, 3.75], [output, 3])),
  ],
  [
    'amount_mismatch',
    'input_at_output',
    ({ input, output, read, write }) =>
      rounded(pico([input - read - write, 15], [read, 0.3], [write, 3.75], [output, 15])),
  ],
  ['amount_mismatch', 'charged_twice', (tokens) => dueOf(tokens) * 2n],
  ['currency_or_unit_error', 'unit:100', (tokens) => dueOf(tokens) * 100n],
  ['currency_or_unit_error', 'unit:0.001', (tokens) => rounded(dueOf(tokens) / 1000n)],
  ['group_ratio_wrong', 'factor:1.1', (tokens) => rounded((dueOf(tokens) * 11n) / 10n)],
  ['group_ratio_wrong', 'factor:0.8', (tokens) => rounded((dueOf(tokens) * 8n) / 10n)],
  ['minimum_charge_unexpected', 'minimum:0.5', () => 500_000_000_000n],
  ['rounding_bias', 'round:half_up@0.000001', (tokens) => rounded(dueOf(tokens), 1_000_000n)],
];

describe('one explanation of all rows of a model is one finding over them', () => {
  test.each(RULES)('%s %s', (named, name, amountOf) => {
    const result = judged(charged(6, amountOf));
    expect(outline(result.findings)).toEqual([`${named} group:${name} 6`]);
    const [group] = result.findings.filter(({ rows }) => rows > 1);
    const children = result.findings.filter((finding) => finding.group !== null);
    expect(children.map((finding) => [finding.class, finding.rule, finding.group, finding.rows])).toEqual(
      Array.from({ length: 6 }, () => [named, name, group?.id, 1]),
    );
    expect(group?.hypothesis).toEqual({ name, fit: 6, of: 6 });
    expect(group?.bridge).toBe('none');
    expect(sumOfDeltas(children)).toBe(sumOfDeltas(group === undefined ? [] : [group]));
    // A factor that lowers every charge may have been agreed, and is excused.
    expect(result.gated).toBe(name !== 'factor:0.8');
  });
});

test('only the finding over many gates', () => {
  const result = judged(charged(4, (tokens) => rounded((dueOf(tokens) * 11n) / 10n)));
  expect(result.groups).toMatchObject([{ count: 5, gates: true, gating: 1, rows: 4, causes: 1 }]);
  const children = result.findings.filter(({ group }) => group !== null);
  expect(children).toHaveLength(4);
  expect(children.every(({ bridge }) => bridge === 'settled')).toBe(true);
});

describe('what is named, and how surely', () => {
  function confidences(pairs: readonly Pair[]): readonly string[] {
    return judged(pairs).findings.map(({ rule, confidence }) => `${rule} ${confidence}`);
  }
  const bothPrices = RULES[0]?.[2] ?? dueOf;

  test('a price line that fits two rows is proved, one row is strong', () => {
    expect(confidences(charged(2, bothPrices))).toEqual(
      expect.arrayContaining(['group:cache_both proved', 'cache_both proved']),
    );
    expect(confidences(charged(1, bothPrices))).toEqual(['cache_both strong']);
  });

  test('a factor needs two rows of distinct amounts', () => {
    const times = (tokens: Tokens): bigint => rounded((dueOf(tokens) * 13n) / 10n);
    expect(outline(judged(charged(1, times)).findings)).toEqual(['amount_mismatch amount 1']);
    expect(new Set(confidences(charged(2, times)))).toEqual(
      new Set(['group:factor:1.3 bounded', 'factor:1.3 bounded']),
    );
    const same = ['a', 'b'].map((name) => pairOf(name, tokensOf(0), times(tokensOf(0))));
    expect(outline(judged(same).findings)).toEqual(['amount_mismatch amount 1', 'amount_mismatch amount 1']);
  });

  test('a factor on every charge of its scope is to be agreed, one on some of them is wrong', () => {
    const times = (tokens: Tokens): bigint => rounded((dueOf(tokens) * 13n) / 10n);
    const [all] = judged(charged(6, times)).findings.filter(({ rows }) => rows > 1);
    expect(all).toMatchObject({ severity: 'S2', confidence: 'bounded' });
    expect(all?.explanation).toContain('which no document tells');
    const mixed = charged(6, times).map((pair, index) =>
      index < 3 ? pair : pairOf(`right-${index}`, tokensOf(index), dueOf(tokensOf(index))),
    );
    const [some] = judged(mixed).findings.filter(({ rows }) => rows > 1);
    expect(some).toMatchObject({ severity: 'S1', confidence: 'strong' });
  });

  test('a least charge needs three rows of one amount', () => {
    const least = (): bigint => 500_000_000_000n;
    expect(outline(judged(charged(2, least)).findings)).toEqual([
      'amount_mismatch amount 1',
      'amount_mismatch amount 1',
    ]);
    expect(outline(judged(charged(3, least)).findings)).toEqual([
      'minimum_charge_unexpected group:minimum:0.5 3',
    ]);
  });

  test('a unit error is named from one row', () => {
    expect(confidences(charged(1, (tokens) => dueOf(tokens) * 1000n))).toEqual(['unit:1000 strong']);
  });

  test('what nothing explains says so', () => {
    const [finding] = judged(charged(1, (tokens) => dueOf(tokens) + 123_450_000n)).findings;
    expect(finding?.class).toBe('amount_mismatch');
    expect(finding?.explanation).toContain('No other price explains it.');
  });
});

describe('models', () => {
  const dearer = textModel('dearer', { input: '4.1', output: '21', cache_read: '0.7', cache_write: '5' });
  const byOther = ({ input, output, read, write }: Tokens): bigint =>
    rounded(pico([input - read - write, 4.1], [read, 0.7], [write, 5], [output, 21]));

  test('the prices of one other model', () => {
    const { findings } = judged(charged(3, byOther), documentOf([dearer]));
    expect(outline(findings)).toEqual(['wrong_model_price group:model:dearer 3']);
  });

  test('of two models with equal prices the first stands for both over many rows', () => {
    const document = documentOf([dearer, { ...dearer, id: 'also-dearer' }]);
    const { findings } = judged(charged(3, byOther), document);
    expect(outline(findings)).toEqual(['wrong_model_price group:model:also-dearer 3']);
    expect(findings.find(({ rows }) => rows > 1)?.explanation).toContain('They fit model:dearer too.');
  });

  test('one row that two models share names none', () => {
    const document = documentOf([dearer, { ...dearer, id: 'also-dearer' }]);
    const [finding] = judged(charged(1, byOther), document).findings;
    expect(finding?.class).toBe('amount_mismatch');
    expect(finding?.explanation).toContain('It fits several: model:also-dearer, model:dearer.');
  });

  test('the same factor at several models is one finding', () => {
    const pairs = charged(4, (tokens) => rounded((dueOf(tokens) * 11n) / 10n)).map(
      ({ row, record }, index) => {
        const model = index % 2 === 0 ? MODEL : 'twin';
        return { row: { ...row, model, response_model: model }, record: { ...record, model } };
      },
    );
    const { findings } = judged(pairs, documentOf([textModel('twin')]));
    expect(outline(findings)).toEqual(['group_ratio_wrong group:factor:1.1 4']);
    expect(findings.find(({ rows }) => rows > 1)?.model).toBeNull();
  });
});

describe('two faults in one cell', () => {
  const both = RULES[0]?.[2] ?? dueOf;
  const doubled = (tokens: Tokens): bigint => dueOf(tokens) * 2n;

  test('each row gets its own explanation', () => {
    const { findings } = judged([...charged(5, both), ...charged(4, doubled, 5)]);
    expect(outline(findings)).toEqual([
      'amount_mismatch group:charged_twice 4',
      'cache_double_charge group:cache_both 5',
    ]);
  });

  test('a factor explains what is left', () => {
    const times = (tokens: Tokens): bigint => rounded((dueOf(tokens) * 11n) / 10n);
    const { findings } = judged([...charged(5, both), ...charged(4, times, 5)]);
    expect(outline(findings)).toEqual([
      'cache_double_charge group:cache_both 5',
      'group_ratio_wrong group:factor:1.1 4',
    ]);
  });

  test('most of many rows are told together, the rest apart', () => {
    const { findings } = judged([
      ...charged(27, both),
      ...charged(2, (tokens) => dueOf(tokens) + 777_770_000n, 27),
    ]);
    expect(outline(findings)).toEqual([
      'amount_mismatch amount 1',
      'amount_mismatch amount 1',
      'cache_double_charge group:cache_both 27',
    ]);
    expect(findings.find(({ rows }) => rows > 1)?.hypothesis).toEqual({
      name: 'cache_both',
      fit: 27,
      of: 29,
    });
  });
});

test('rows charged as due are never touched, and are counted beside', () => {
  const both = RULES[0]?.[2] ?? dueOf;
  const uncached = { ...tokensOf(20), read: 0, write: 0 };
  const { findings, calls } = judged([
    ...charged(3, both),
    ...charged(2, dueOf, 3),
    pairOf('uncached', uncached, dueOf(uncached)),
  ]);
  const group = findings.find(({ rows }) => rows > 1);
  expect(group?.rows).toBe(3);
  expect(group?.explanation).toContain('2 other rows are charged as due and would not be so');
  expect(group?.explanation).toContain('1 rows cost the same either way');
  expect(calls.filter(({ verdict }) => verdict === 'to_the_digit')).toHaveLength(3);
});

test('all rows twice under fresh names give twice the rows and sums, and the same names', () => {
  const times = (tokens: Tokens): bigint => rounded((dueOf(tokens) * 11n) / 10n);
  const once = charged(5, times);
  const again = charged(5, times).map(({ row, record }) => ({
    row: {
      ...row,
      call_id: `${row.call_id}b`,
      request_id: `${row.request_id}b`,
      request_ids: [`${row.request_id}b`],
    },
    record: { ...record, id: `${record.id}b`, request_id: `${record.request_id}b` },
  }));
  const top = (findings: readonly Finding[]) => findings.filter(({ rows }) => rows > 1);
  const [single] = top(judged(once).findings);
  const [double] = top(judged([...once, ...again]).findings);
  expect(double?.rows).toBe(10);
  expect(double?.rule).toBe(single?.rule);
  expect(sumOfDeltas(double === undefined ? [] : [double])).toBe(
    2n * sumOfDeltas(single === undefined ? [] : [single]),
  );
});

test('many amounts rounded one way are told with how far they lean', () => {
  const cut = ({ input, output, read, write }: Tokens): bigint =>
    (pico([input - read - write, 3.0037], [read, 0.3], [write, 3.75], [output, 15]) / 10_000n) * 10_000n;
  const document = documentOf([], { models: [textModel(MODEL, { input: '3.0037' })] });
  const { findings } = judged(charged(240, cut), document);
  const [group] = findings.filter(({ rows }) => rows > 1);
  expect(group?.rule).toBe('group:round:trunc@0.00000001');
  expect(group?.severity).toBe('S3');
  expect(group?.explanation).toMatch(
    /over 240 rows the amounts lie 0\.\d{3} of a quantum below their sums\./,
  );
});
