import * as z from 'zod';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';
import { mediaCall, paidCall } from './paid-call-subject.ts';
import { afterMs } from './parameters.ts';
import { charged, wrongRecord } from './wrong-record.ts';

/** Calls that failed after their reserve was taken, and what came back of it. */
export const REFUND_FAULTS: readonly FaultDefinition[] = [
  wrongRecord({
    id: 'bill.charge_failed',
    summary: 'A job or task that failed is charged whole, as one that was completed.',
    shape: {},
    applies: mediaCall,
    change: (_parameters, { record }) =>
      record.status === 'refunded' && record.result === 'failed'
        ? { ...charged(record, record.reserved), result: 'completed' }
        : null,
  }),
  wrongRecord({
    id: 'bill.missing_refund',
    summary: 'A call that failed keeps its whole reserve as a settled amount.',
    shape: {},
    applies: paidCall,
    change: (_parameters, { record }) =>
      record.status === 'refunded' ? charged(record, record.reserved) : null,
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
    shape: {},
    applies: paidCall,
    change: (_parameters, { record }) =>
      record.status === 'refunded' ? { refunded: record.reserved * 2n } : null,
  }),
  wrongRecord({
    id: 'bill.partial_refund',
    summary: 'A call that failed gets a part of its reserve back.',
    shape: { percent: z.int().min(0).max(99).default(50).describe('Of the reserve that comes back.') },
    applies: paidCall,
    change: ({ percent }, { record }) =>
      record.status === 'refunded' ? { refunded: (record.reserved * BigInt(percent)) / 100n } : null,
  }),
];
