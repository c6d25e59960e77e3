import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../../contracts/interface.ts';
import type { CallRow } from '../../../contracts/ledger-lines.ts';
import type { Reconciliation } from '../../../contracts/reconciliation.ts';
import { formatInstant } from '../../../core/time.ts';
import {
  brief,
  cutRow,
  IMAGE_MODEL,
  IMAGE_RECORD,
  imageRow,
  judge,
  recordOf,
  START_MS,
  START_S,
  TEXT_MODEL,
  textRow,
} from '../../reconcile.test-support.ts';

const NO_ID = { request_id: null, request_ids: [] };
const SPELLED = { text: `vendor/${TEXT_MODEL.toUpperCase()}`, image: `vendor/${IMAGE_MODEL.toUpperCase()}` };

function at(second: number): Partial<CallRow> {
  return { ...NO_ID, started_at: formatInstant(START_MS + second * 1000) };
}

function matches(rows: readonly CallRow[], records: readonly UsageRecord[]): readonly string[] {
  const result = judge({ rows, sweeps: [{ records }] });
  expect(brief(result)).toEqual([]);
  return result.calls.map(({ match, record_ids }) => `${match} ${record_ids.join('+')}`);
}

describe('calls without ids find records that spell their model in another way', () => {
  test('by their tokens', () => {
    expect(matches([textRow('a', NO_ID)], [recordOf('x', { model: SPELLED.text })])).toEqual([
      'fingerprint rec-x',
    ]);
  });

  test('by what they owe', () => {
    const record = recordOf('x', { ...IMAGE_RECORD, model: SPELLED.image });
    expect(matches([imageRow('a', NO_ID)], [record])).toEqual(['fingerprint rec-x']);
  });

  test('by their time, where they were cut short', () => {
    const records = [60, 0].map((second) =>
      recordOf(`r${second}`, { model: SPELLED.text, created_at: START_S + second }),
    );
    expect(matches([cutRow('a', at(0)), cutRow('b', at(60))], records)).toEqual([
      'assignment rec-r0',
      'assignment rec-r60',
    ]);
  });

  test('by their sum, where they were cut short at one moment', () => {
    const records = [0, 1].map((second) =>
      recordOf(`r${second}`, { model: SPELLED.text, created_at: START_S + second }),
    );
    expect(matches([cutRow('a', at(0)), cutRow('b', at(0))], records)).toEqual([
      'cluster rec-r0+rec-r1',
      'cluster rec-r0+rec-r1',
    ]);
  });
});

describe('a failed image without an id', () => {
  const failed = imageRow('a', { ...NO_ID, outcome: 'http_error', error_type: 'http_5xx', status: 500 });

  function judged(credit: Partial<UsageRecord>): Reconciliation {
    const charge = recordOf('x', { ...IMAGE_RECORD, result: 'failed' });
    const back = { ...IMAGE_RECORD, id: 'rec-x-back', result: 'failed', reserved_amount: '0', ...credit };
    const rows = [failed, imageRow('b', NO_ID)];
    return judge({
      rows,
      sweeps: [{ records: [charge, recordOf('x', back), recordOf('y', IMAGE_RECORD)] }],
    });
  }

  test.each([
    ['a negative amount', { amount: '-0.02' }],
    ['a refund', { amount: '0', refunded_amount: '0.02' }],
  ])('that one record charges and %s of another gives back is no phantom', (_, credit) => {
    const result = judged(credit);
    expect(result.findings.filter(({ severity }) => severity !== 'S4')).toEqual([]);
    expect(result.money).toMatchObject({ charged: '0.02', difference: '0' });
    expect(result.calls.map(({ record_ids }) => record_ids)).toEqual([['rec-x', 'rec-x-back'], ['rec-y']]);
  });
});
