import * as z from 'zod';
import type { LateAct } from '../../charging/call-books.ts';
import type { RecordChange } from '../../charging/charge-ledger.ts';
import { NO_TOKENS } from '../../events/charge-record.ts';
import { defineFault, type FaultDefinition, plainFault } from '../../hooks/fault-definition.ts';
import { mediaCall, paidCall } from '../hit.ts';
import { afterMs, timesFactor } from './parameters.ts';
import { charged, wrongRecord, wrongRecordBy } from './wrong-record.ts';

/** As it was before the call ended. */
const PENDING: RecordChange = {
  status: 'pending',
  result: 'unknown',
  amount: 0n,
  refunded: 0n,
  usage: NO_TOKENS,
  estimated: false,
};

/** Records that do not come to their end, or leave it again. */
export const OPEN_RECORD_FAULTS: readonly FaultDefinition[] = [
  wrongRecord({
    id: 'bill.pending_forever',
    summary: 'A call is never settled: its reserve is never released.',
    change: () => PENDING,
  }),
  defineFault({
    id: 'bill.pending_to_unknown',
    summary:
      'A call is not settled, and after a while its record says unknown; its reserve is never released.',
    charge: 'wrong',
    shape: { after_ms: afterMs(2000) },
    applies: paidCall,
    arm: ({ after_ms }, { fire }) => ({
      booked(books) {
        const delta = books.amend(PENDING);
        const toUnknown: LateAct = ({ status }) => (status === 'pending' ? { status: 'unknown' } : null);
        books.later(after_ms, toUnknown, () => undefined);
        fire(delta);
      },
    }),
  }),
  plainFault({
    id: 'bill.reserve_leak',
    summary:
      'A settled call keeps its reserve, and no record shows it: `delta` is 0, and the account has less to spend.',
    applies: paidCall,
    arm: ({ fire }) => ({
      booked(books) {
        if (books.record.reserved === 0n) return;
        books.leak(books.record.reserved);
        fire();
      },
    }),
  }),
  defineFault({
    id: 'bill.state_regression',
    summary:
      'A settled record changes afterwards: its amount grows by a tenth, it is pending again, or gone.',
    charge: 'wrong',
    shape: {
      variant: z
        .enum(['amount', 'pending', 'gone'])
        .default('amount')
        .describe('What becomes of the record.'),
      after_ms: afterMs(2000),
    },
    applies: paidCall,
    arm: ({ variant, after_ms }, { fire }) => ({
      booked(books) {
        const act: LateAct = (record) => {
          if (record.status !== 'settled' || record.amount === 0n) return null;
          if (variant !== 'amount') return variant === 'gone' ? 'gone' : PENDING;
          return charged(record, timesFactor(record.amount, '1.1', books.rounding));
        };
        books.later(after_ms, act, (change) => {
          if (change !== null) fire(change);
        });
      },
    }),
  }),
];

/** Calls that failed after their reserve was taken, and what came back of it. */
export const REFUND_FAULTS: readonly FaultDefinition[] = [
  wrongRecord({
    id: 'bill.charge_failed',
    summary: 'A job or task that failed is charged whole, as one that was completed.',
    applies: mediaCall,
    change: ({ record }) =>
      record.status === 'refunded' && record.result === 'failed'
        ? { ...charged(record, record.reserved), result: 'completed' }
        : null,
  }),
  wrongRecord({
    id: 'bill.missing_refund',
    summary: 'A call that failed keeps its whole reserve as a settled amount.',
    change: ({ record }) => (record.status === 'refunded' ? charged(record, record.reserved) : null),
  }),
  defineFault({
    id: 'bill.late_refund',
    summary: 'A call that failed is charged whole at first and refunded after a while.',
    charge: 'not_charged',
    shape: { after_ms: afterMs(5000) },
    applies: paidCall,
    arm: ({ after_ms }, { fire }) => ({
      booked(books) {
        const { record } = books;
        if (record.status !== 'refunded') return;
        const { status, amount, refunded } = record;
        const kept = books.amend(charged(record, record.reserved));
        books.later(
          after_ms,
          (charge) => (charge.status === 'settled' ? { status, amount, refunded } : null),
          (back) => fire(kept + (back ?? 0n)),
        );
      },
    }),
  }),
  wrongRecord({
    id: 'bill.double_refund',
    summary: 'A call that failed gets its reserve back twice.',
    change: ({ record }) => (record.status === 'refunded' ? { refunded: record.reserved * 2n } : null),
  }),
  wrongRecordBy({
    id: 'bill.partial_refund',
    summary: 'A call that failed gets a part of its reserve back.',
    shape: { percent: z.int().min(0).max(99).default(50).describe('Of the reserve that comes back.') },
    change: ({ percent }, { record }) =>
      record.status === 'refunded' ? { refunded: (record.reserved * BigInt(percent)) / 100n } : null,
  }),
];
