import { expect, test } from 'vitest';
import type { Statement } from '../../contracts/statement.ts';
import {
  judge,
  recordOf,
  START_MS,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from '../../reconcile/reconcile.test-support.ts';
import { statementSection } from '../sections/report-sections.ts';
import { statementBridge } from './build-result.ts';

const BILL = judge({
  rows: [
    textRow('right'),
    textRow('held'),
    videoRow('back', { outcome: 'task_failed', error_type: 'task_failed' }),
  ],
  sweeps: [
    {
      at_ms: START_MS + 60_000,
      records: [
        recordOf('right'),
        recordOf('held', { billing_status: 'pending', result: 'unknown', amount: '0', refunded_amount: '0' }),
        recordOf('back', {
          ...VIDEO_RECORD,
          billing_status: 'refunded',
          result: 'failed',
          amount: '0',
          refunded_amount: '0.4',
        }),
        recordOf('stranger', { amount: '0.5', created_at: START_MS / 1000 - 10 }),
      ],
    },
  ],
  key: 'shared',
});

function statement(closing: string): Statement {
  return { opening: '10', top_ups: [{ amount: '5.5', request_id: 'receipt-1' }], fees: [], closing };
}

test('opening + top-ups − settled + refunds − holds − others is the closing balance', () => {
  expect(statementBridge(statement('14.9872'), BILL)).toEqual({
    opening: '10',
    top_ups: '5.5',
    settled: '0.4028',
    refunds: '0.4',
    holds: '0.01',
    others: '0.5',
    due: '14.9872',
    closing: '14.9872',
    unexplained: '0',
    receipts: [{ amount: '5.5', request_id: 'receipt-1' }],
  });
});

test('what nothing accounts for stands on a line of its own, to the last digit', () => {
  const bridge = statementBridge(statement('14.987199999999'), BILL);
  expect(bridge.unexplained).toBe('-0.000000000001');
  const [table] = statementSection(bridge).blocks;
  const rows = table?.type === 'table' ? table.table.rows : [];
  expect(rows.at(-1)?.slice(0, 2)).toEqual(['unexplained', '-$0.000000000001']);
});

test('fees are a line of their own, and no part of what is unexplained', () => {
  const bridge = statementBridge({ ...statement('14.6'), fees: ['0.25', '0.1372'] }, BILL);
  expect(bridge).toMatchObject({ fees: '0.3872', due: '14.6', unexplained: '0' });
  const [table] = statementSection(bridge).blocks;
  const rows = table?.type === 'table' ? table.table.rows : [];
  expect(rows.map((row) => row.slice(0, 2))).toContainEqual(['− fees', '$0.3872']);
});

test('an amount that cannot be read leaves the rest unknown, never 0', () => {
  const unread = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a', { amount: 'x' })] }] });
  expect(statementBridge(statement('1'), unread)).toMatchObject({
    settled: null,
    due: null,
    unexplained: null,
  });
});
