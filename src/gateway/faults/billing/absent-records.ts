import * as z from 'zod';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';
import { paidCall } from './paid-call-subject.ts';
import { afterMs } from './parameters.ts';

/** Calls whose record is not where it should be. */
export const ABSENT_RECORD_FAULTS: readonly FaultDefinition[] = [
  defineFault({
    id: 'bill.missing_record',
    summary: 'A call that was carried out has no record, and no credit is taken for it.',
    charge: 'wrong',
    shape: {},
    applies: paidCall,
    arm: (_parameters, { fire }) => ({
      booked(books) {
        if (books.record.status === 'settled') fire(books.withdraw());
      },
    }),
  }),
  defineFault({
    id: 'bill.late_record',
    summary: 'The record of a call appears only after a while, and its credit is taken then.',
    charge: 'charged',
    shape: { after_ms: afterMs(5000) },
    applies: paidCall,
    arm: ({ after_ms }, { fire }) => ({
      booked(books) {
        if (books.record.status !== 'settled') return;
        books.withdrawFor(after_ms);
        fire();
      },
    }),
  }),
  defineFault({
    id: 'bill.wrong_key',
    summary: 'The record of a call stands in the bill of another key of the account.',
    charge: 'wrong',
    shape: {
      to_key_fp: z
        .string()
        .regex(/^[0-9a-f]{16}$/, { error: 'must be 16 hex digits: the start of the SHA-256 of the key' })
        .default('0000000000000000')
        .describe('Fingerprint of the other key; one that nobody holds unless given.'),
    },
    applies: paidCall,
    arm: ({ to_key_fp }, { fire }) => ({
      booked(books) {
        if (books.record.status !== 'settled' || books.record.keyFingerprint === to_key_fp) return;
        fire(books.misfile(to_key_fp));
      },
    }),
  }),
];
