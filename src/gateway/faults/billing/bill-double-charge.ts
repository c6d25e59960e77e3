import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { paidCall } from './paid-call-subject.ts';
import { charged } from './wrong-record.ts';

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
