import * as z from 'zod';
import {
  defineFault,
  type FaultContext,
  type FaultDefinition,
  plainFault,
} from '../../hooks/fault-definition.ts';
import { paidCall } from '../hit.ts';
import { afterMs } from './parameters.ts';
import { charged } from './wrong-record.ts';

const RANDOM_CHARACTERS = 8;

/** Records beyond the one that a call is due. */
export const FURTHER_RECORD_FAULTS: readonly FaultDefinition[] = [
  plainFault({
    id: 'bill.duplicate_record',
    summary: 'Lists the record of a call twice, as two records of one request id; credit is taken once.',
    charge: 'wrong',
    applies: paidCall,
    arm: ({ fire }) => ({
      booked(books) {
        if (books.record.status === 'settled' && books.record.amount > 0n) fire(books.add({}, true));
      },
    }),
  }),
  plainFault({
    id: 'bill.retry_charge',
    summary:
      'Charges a call once more under a request id that no client ever saw, as for a retry on the side of the server. The journal names that id.',
    charge: 'wrong',
    applies: paidCall,
    arm: (context) => ({
      booked(books) {
        if (books.record.status !== 'settled' || books.record.amount === 0n) return;
        const requestId = neverSeen(context);
        context.fire(books.add({ requestId }), requestId);
      },
    }),
  }),
  plainFault({
    id: 'bill.phantom_record',
    summary:
      'Books another settled record, equal to that of the call except for its request id, although there was no such call. The journal names that id.',
    charge: 'wrong',
    applies: paidCall,
    arm: (context) => ({
      booked(books) {
        if (books.record.status !== 'settled' || books.record.amount === 0n) return;
        const requestId = neverSeen(context);
        context.fire(books.addForeign(requestId), requestId);
      },
    }),
  }),
  plainFault({
    id: 'bill.request_id_reuse',
    summary:
      'Books the record of a call under the request id of the one before it of the same key: one id has two records and the other none. Two journal lines, one for each.',
    charge: 'wrong',
    applies: paidCall,
    arm: ({ fire }) => ({
      booked(books) {
        const { record } = books;
        const earlier = books.requestBefore();
        if (record.status !== 'settled' || earlier === null || earlier === record.requestId) return;
        books.amend({ requestId: earlier });
        fire(-record.amount);
        fire(record.amount, earlier);
      },
    }),
  }),
];

/** A request id of the usual form that the gateway gives to nobody. */
function neverSeen({ requestId, random }: FaultContext): string {
  const spread = Array.from({ length: RANDOM_CHARACTERS }, () => random.below(36).toString(36)).join('');
  return `${requestId.slice(0, -RANDOM_CHARACTERS)}${spread}`;
}

/** Two settled records of the same request id, or one of twice the price. */
export const billDoubleCharge = defineFault({
  id: 'bill.double_charge',
  summary: 'Charges a call twice: as two records of one request id, or as one record of twice the price.',
  charge: 'wrong',
  shape: {
    variant: z
      .enum(['second_record', 'double_price'])
      .default('second_record')
      .describe('Whether a second record is booked, or the first at twice its price.'),
  },
  applies: paidCall,
  arm: ({ variant }, { fire }) => ({
    booked(books) {
      const { record } = books;
      if (record.status !== 'settled' || record.amount === 0n) return;
      fire(variant === 'second_record' ? books.add() : books.amend(charged(record, record.amount * 2n)));
    },
  }),
});

/** Calls whose record is not where it should be. */
export const ABSENT_RECORD_FAULTS: readonly FaultDefinition[] = [
  plainFault({
    id: 'bill.missing_record',
    summary: 'A call that was carried out has no record, and no credit is taken for it.',
    charge: 'wrong',
    applies: paidCall,
    arm: ({ fire }) => ({
      booked(books) {
        if (books.record.status === 'settled') fire(books.withdraw());
      },
    }),
  }),
  defineFault({
    id: 'bill.late_record',
    summary: 'The record of a call appears only after a while, and its credit is taken then.',
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
    summary: 'The record of a call is in the bill of another key of the account.',
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
