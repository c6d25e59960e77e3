import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import {
  archivedBook,
  bookDocument,
  IMAGE_RECORD,
  imageRow,
  judge,
  recordOf,
  START_S,
  VIDEO_RECORD,
  videoRow,
} from '../reconcile.test-support.ts';
import {
  documentOf,
  dueOf,
  outline,
  pairOf,
  pico,
  rounded,
  type Tokens,
  textModel,
  tokensOf,
} from './hypotheses.test-support.ts';

interface Pair {
  readonly row: CallRow;
  readonly record: UsageRecord;
}

function judged(pairs: readonly Pair[], ...documents: readonly unknown[]) {
  return judge({
    rows: pairs.map(({ row }) => row),
    sweeps: [{ records: pairs.map(({ record }) => record) }],
    books: documents.map((document, index) => archivedBook(document, String(index).repeat(64))),
  });
}

function named(pairs: readonly Pair[], ...documents: readonly unknown[]): readonly string[] {
  return outline(judged(pairs, ...documents).findings);
}

const PLAIN: Pick<Tokens, 'read' | 'write'> = { read: 0, write: 0 };

describe('context tiers', () => {
  const tiers = {
    basis: 'context_len',
    mode: 'cliff',
    inclusive: 'gt',
    thresholds: [{ above: 2000, input: '6', output: '30', cache_read: '0.6', cache_write: '7.5' }],
  };
  const document = documentOf([textModel('tiered', { tiers })]);
  const at = (name: string, tokens: Tokens, amount: bigint): Pair =>
    pairOf(name, tokens, amount, {
      row: { model: 'tiered', response_model: 'tiered' },
      record: { model: 'tiered' },
    });
  const long = [2500, 3100].map((input, index) => ({ ...PLAIN, input, output: 101 + 7 * index }));

  test('none applied', () => {
    const pairs = long.map((tokens, index) => at(`${index}`, tokens, dueOf(tokens)));
    expect(named(pairs, document)).toEqual(['tier_not_applied group:tier_none 2']);
  });

  test('the size at the threshold taken to its other side', () => {
    const edge = { ...PLAIN, input: 2000, output: 77 };
    const pairs = [at('edge', edge, rounded(pico([2000, 6], [77, 30])))];
    const { findings } = judged(pairs, document);
    expect(findings.map(({ class: of }) => of)).toEqual(['tier_not_applied']);
    const [{ explanation } = { explanation: '' }] = findings;
    expect(explanation).toContain('tier');
  });

  test('parts of the size at the prices of their own tiers, or the output alone at the base', () => {
    const graduated = long.map((tokens, index) =>
      at(`${index}`, tokens, rounded(pico([2000, 3], [tokens.input - 2000, 6], [tokens.output, 15]))),
    );
    expect(named(graduated, document)).toEqual(['tier_not_applied group:tier_graduated_input 2']);
    const output = long.map((tokens, index) =>
      at(`${index}`, tokens, rounded(pico([tokens.input, 6], [tokens.output, 15]))),
    );
    expect(named(output, document)).toEqual(['tier_not_applied group:tier_output_base 2']);
  });

  test('the tier of the input without its cached tokens', () => {
    const cached = [2500, 2600].map((input) => ({ input, output: 90, read: 900, write: 100 }));
    const pairs = cached.map((tokens, index) => at(`${index}`, tokens, dueOf(tokens)));
    const [finding] = judged(pairs, document).findings.filter(({ rows }) => rows > 1);
    expect(finding?.class).toBe('tier_not_applied');
    expect(finding?.explanation).toContain('tier_without_cache');
  });
});

test('tiers of service', () => {
  const priority = {
    service_tier: 'priority',
    input: '6',
    output: '30',
    cache_read: '0.6',
    cache_write: '7.5',
  };
  const document = documentOf([textModel('tiered', { service_tiers: [priority] })]);
  const pairs = [0, 1].map((index) => {
    const tokens = { ...tokensOf(index), ...PLAIN };
    return pairOf(`${index}`, tokens, rounded(pico([tokens.input, 6], [tokens.output, 30])), {
      row: { model: 'tiered', response_model: 'tiered' },
      record: { model: 'tiered' },
    });
  });
  const { findings } = judged(pairs, document);
  expect(outline(findings)).toEqual(['service_tier_price group:when:service_tier=priority 2']);
  expect(findings.map(({ confidence }) => confidence)).toEqual(['strong', 'strong', 'strong']);
});

test('a tier that the book states keeps its rows though all of another model are charged by the same factor', () => {
  const flex = {
    service_tier: 'flex',
    input: '1.5',
    output: '7.5',
    cache_read: '0.15',
    cache_write: '1.875',
  };
  const document = documentOf([textModel('tiered', { service_tiers: [flex] })]);
  const half = (tokens: Tokens): bigint => rounded(dueOf(tokens) / 2n);
  const pairs = [0, 1, 2, 3].map((index) => {
    const tokens = { ...tokensOf(index), ...PLAIN };
    const other = index < 2 ? { model: 'tiered' } : {};
    const row = index < 2 ? { model: 'tiered', response_model: 'tiered' } : {};
    return pairOf(`${index}`, tokens, half(tokens), { row, record: other });
  });
  expect(named(pairs, document)).toEqual([
    'group_ratio_wrong group:factor:0.5 2',
    'service_tier_price group:when:service_tier=flex 2',
  ]);
});

test('tool calls that were not made', () => {
  const document = documentOf([textModel('tools', { tools: [{ tool: 'web_search', price: '0.01' }] })]);
  const pairs = [0, 1].map((index) => {
    const tokens = tokensOf(index);
    return pairOf(`${index}`, tokens, dueOf(tokens) + 10_000_000_000n, {
      row: { model: 'tools', response_model: 'tools', kind: 'responses' },
      record: { model: 'tools' },
    });
  });
  expect(named(pairs, document)).toEqual(['tool_surcharge group:tool:+1 2']);
  expect(judged(pairs, document).findings[0]?.explanation).toContain('1 call(s) of web_search too many');
});

test.each([
  ['reasoning_added', 1n],
  ['reasoning_omitted', -1n],
])('%s', (name, sign) => {
  const pairs = [0, 1].map((index) => {
    const tokens = tokensOf(index);
    const reasoning = 40 + index;
    const pair = pairOf(`${index}`, tokens, dueOf(tokens) + sign * pico([reasoning, 15]));
    const { usage } = pair.row;
    return { ...pair, row: { ...pair.row, usage: usage === null ? null : { ...usage, reasoning } } };
  });
  const document = documentOf([], {
    usage_semantics: { input_includes_cache: true, output_includes_reasoning: true },
  });
  expect(named(pairs, document)).toEqual([`reasoning_double_count group:${name} 2`]);
});

describe('images and videos', () => {
  const image = (name: string, amount: string): Pair => ({
    row: imageRow(name),
    record: recordOf(name, { ...IMAGE_RECORD, amount, reserved_amount: '1', refunded_amount: '0' }),
  });
  const video = (name: string, seconds: number, amount: string): Pair => ({
    row: videoRow(name, {
      units: { images: null, size: null, quality: null, seconds, resolution: '1280x720' },
    }),
    record: recordOf(name, { ...VIDEO_RECORD, amount, reserved_amount: '9', refunded_amount: '0' }),
  });
  const only = (pairs: readonly Pair[]) =>
    judged(pairs, bookDocument()).findings.filter(({ class: of }) => of !== 'partial_refund_wrong');

  test('an image of another quality', () => {
    expect(outline(only([image('a', '0.08')]))).toEqual(['image_price units:1024x1024/high 1']);
  });

  test('one image charged of several, as the sizes of both amounts tell', () => {
    const several = (name: string, images: number): Pair => {
      const { row, record } = image(name, '0.02');
      const units = { images, size: '1024x1024', quality: 'low', seconds: null, resolution: null };
      return { row: { ...row, units }, record };
    };
    expect(outline(only([several('a', 3), several('b', 4)]))).toEqual(['image_price group:units:1 2']);
  });

  test('a video three times as long is named from one, one a quarter longer from several', () => {
    expect(outline(only([video('a', 4, '1.2')]))).toEqual(['video_units_wrong units:12s 1']);
    expect(outline(only([video('a', 4, '0.5')]))).toEqual(['amount_mismatch amount 1']);
    expect(outline(only([video('a', 4, '0.9'), video('b', 5, '0.9')]))).toEqual([
      'video_units_wrong group:units:9s 2',
    ]);
  });
});

describe('versions', () => {
  const before = documentOf([], { pricing_version: 'v1', effective_at: START_S - 3600 });
  const raised = textModel('m', { input: '4.1', output: '20', cache_read: '0.4', cache_write: '5' });
  const after = bookDocument({ models: [raised], pricing_version: 'v2', effective_at: START_S - 60 });
  const dueAfter = ({ input, output, read, write }: Tokens): bigint =>
    rounded(pico([input - read - write, 4.1], [read, 0.4], [write, 5], [output, 20]));
  const pairs = (
    version: string,
    amountOf: (tokens: Tokens) => bigint,
    createdAt = START_S,
  ): readonly Pair[] =>
    [0, 1].map((index) =>
      pairOf(`${index}`, tokensOf(index), amountOf(tokensOf(index)), {
        record: { pricing_version: version, created_at: createdAt },
      }),
    );

  test('old prices under the version in force', () => {
    expect(named(pairs('v2', dueOf), before, after)).toEqual(['stale_price_version group:version:v1 2']);
  });

  test('the old version and its prices', () => {
    const result = judged(pairs('v1', dueOf), before, after);
    expect(outline(result.findings)).toEqual(['stale_price_version group:version:v1 2']);
    expect(result.findings.map(({ direction }) => direction)).toEqual(['under', 'under', 'under']);
    expect(result.money.difference).not.toBe('0');
  });

  test('the prices in force under the old name change no sum', () => {
    const result = judged(pairs('v1', dueAfter), before, after);
    expect(outline(result.findings)).toEqual(['stale_price_version group:named:v1 2']);
    expect(result.findings.map(({ delta_exact }) => delta_exact)).toEqual(['0', '0', '0']);
    expect(result.money.difference).toBe('0');
  });

  test('a call of the second of the change, or from before it, is charged by either', () => {
    const changed = bookDocument({ models: [raised], pricing_version: 'v2', effective_at: START_S });
    expect(named(pairs('v1', dueOf), before, changed)).toEqual([]);
    expect(named(pairs('v1', dueAfter), before, changed)).toEqual([]);
    const later = bookDocument({ models: [raised], pricing_version: 'v2', effective_at: START_S + 9 });
    expect(named(pairs('v1', dueAfter), before, later)).toEqual(['stale_price_version group:version:v2 2']);
  });
});

describe('one cause for all models', () => {
  test('a single row takes the explanation found at another model', () => {
    const document = documentOf([textModel('other')]);
    const times = (tokens: Tokens): bigint => rounded((dueOf(tokens) * 11n) / 10n);
    const pairs = [0, 1, 2].map((index) => {
      const other = index === 2 ? { model: 'other' } : {};
      const tokens = tokensOf(index);
      return pairOf(`${index}`, tokens, times(tokens), {
        row: index === 2 ? { model: 'other', response_model: 'other' } : {},
        record: other,
      });
    });
    expect(named(pairs, document)).toEqual(['group_ratio_wrong group:factor:1.1 3']);
  });

  test('more settled than reserved is told where no price explains it', () => {
    const pair = pairOf('a', tokensOf(0), dueOf(tokensOf(0)) + 123_450_000n, {
      record: { reserved_amount: '0.0001', refunded_amount: '0' },
    });
    expect(named([pair], documentOf())).toEqual(['settle_above_reserve above_reserve 1']);
  });
});
