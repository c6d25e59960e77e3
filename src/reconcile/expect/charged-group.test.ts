import { describe, expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { archivedBook, judge, recordOf, textRow } from '../reconcile.test-support.ts';

/** $2 and $8 a million tokens, times what the group of the account pays. */
const DOCUMENT = {
  pricebook_id: 'pb',
  pricing_version: 'v1',
  currency: 'USD',
  base_usd_per_million_tokens: '2',
  rounding: { scope: 'record', quantum: '0.00000001', mode: 'half_up' },
  usage_semantics: { input_includes_cache: true },
  group_ratio: { half: '0.5', dear: '1.5' },
  data: [{ model_name: 'text-1', quota_type: '0', model_ratio: '1', completion_ratio: '4' }],
};

/** So many calls, each charged this share of the full price, in hundredths. */
function charged(
  count: number,
  percent: (index: number) => number,
  group: string | null = null,
  group_ratio: object = DOCUMENT.group_ratio,
): Reconciliation {
  const usage = { input: 1, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
  const calls = Array.from({ length: count }, (_, index) => ({ name: `c${index}`, output: 100 + index }));
  return judge({
    rows: calls.map(({ name, output }) => textRow(name, { usage: { ...usage, output } })),
    books: [archivedBook({ ...DOCUMENT, group_ratio })],
    terms: { ...NO_TERMS, group },
    sweeps: [
      {
        records: calls.map(({ name, output }, index) =>
          recordOf(name, {
            amount: (((2 + 8 * output) * percent(index)) / 1e8).toFixed(8),
            ...{ input_tokens: 1, output_tokens: output, reserved_amount: '0', refunded_amount: '0' },
          }),
        ),
      },
    ],
  });
}

/** The same where each record names the group that it was charged by, as logs of the new-api family do. */
function named(count: number, percent: number, group: (index: number) => string): Reconciliation {
  const usage = { input: 1, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
  const calls = Array.from({ length: count }, (_, index) => `c${index}`);
  const amount = ((802 * percent) / 1e8).toFixed(8);
  return judge({
    rows: calls.map((name) => textRow(name, { usage })),
    books: [archivedBook(DOCUMENT)],
    terms: NO_TERMS,
    sweeps: [
      {
        records: calls.map((name, index) => ({
          ...recordOf(name, {
            ...{ amount, input_tokens: 1, output_tokens: 100, reserved_amount: '0', refunded_amount: '0' },
          }),
          price_group: group(index),
        })),
      },
    ],
  });
}

const settingOf = ({ coverage }: Reconciliation) => coverage.settings.find(({ name }) => name === 'group');

describe('a price list of groups, where nobody declared ours', () => {
  test('is read by the group that all records name, from the first call on', () => {
    const right = named(3, 50, () => 'half');
    expect(right.coverage.to_the_digit).toBe(1);
    expect(settingOf(right)).toMatchObject({
      value: 'half',
      evidence: 'every record that tells its group names half',
    });
    const dear = named(3, 150, () => 'half');
    expect(new Set(dear.findings.map((each) => each.class))).toEqual(new Set(['amount_mismatch']));
  });

  test('is read by the charges where records name two groups, or one that the list does not have', () => {
    expect(settingOf(named(3, 50, (index) => (index === 0 ? 'half' : 'dear')))?.value).not.toBe('half');
    expect(settingOf(named(3, 50, () => 'secret'))?.value).not.toBe('secret');
  });

  test('is read by the group that the charges show, which is told', () => {
    const result = charged(20, () => 50);
    expect(result.coverage.to_the_digit).toBe(1);
    expect(settingOf(result)).toMatchObject({
      name: 'group',
      value: 'half',
      evidence: '20 of 20 charges that tell its groups apart are by half',
    });
  });

  test('leaves nothing open where all groups pay the same, whatever is charged', () => {
    const result = charged(20, (index) => (index < 15 ? 100 : 200), null, { default: '1' });
    expect(result.inconclusive).toEqual([]);
    expect(result.findings.filter(({ rows }) => rows === 1)).toHaveLength(5);
  });

  test('is read without a factor where no group gives the charges and the plain price does', () => {
    const result = charged(20, () => 100);
    expect(result.coverage.to_the_digit).toBe(1);
    expect(settingOf(result)?.value).toBe('none');
  });

  test('and a charge that no group gives is wrong', () => {
    const result = charged(20, (index) => (index === 3 ? 80 : 50));
    expect(result.findings).toMatchObject([{ class: 'amount_mismatch', direction: 'over' }]);
  });

  test('leaves no conclusion where charges lie anywhere between its groups', () => {
    const result = charged(20, (index) => 51 + index);
    expect(result.findings).toEqual([]);
    expect(result.inconclusive[0]).toContain(
      '0 of 20 charges that tell its groups apart are by no group; set billing.group',
    );
  });

  test('nor where some are by one group and some by another', () => {
    const result = charged(40, (index) => (index < 39 ? 50 : 100));
    expect(result.findings).toEqual([]);
    expect(result.inconclusive[0]).toContain('39 of 40 charges');
  });

  test('is left open by fewer charges than show a group', () => {
    const result = charged(19, () => 50);
    expect(result.inconclusive).toEqual([]);
    expect(result.calls.map(({ verdict }) => verdict)).toEqual(
      Array.from({ length: 19 }, () => 'within_bounds'),
    );
  });

  test('nothing is sought where ours was declared, even by a name that the list lacks', () => {
    for (const group of ['dear', 'ours']) expect(settingOf(charged(20, () => 50, group))).toBeUndefined();
  });
});
