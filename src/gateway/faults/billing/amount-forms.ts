import * as z from 'zod';
import { parseDecimal } from '../../../core/decimal.ts';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';
import type { AmountWriter } from '../../readings/served-forms.ts';
import { paidCall } from './paid-call-subject.ts';
import { charged, wrongRecord } from './wrong-record.ts';

/** Right amounts in a form that is none of the interface, in every read of the record, and negative ones. */
export const AMOUNT_FORM_FAULTS: readonly FaultDefinition[] = [
  formFault(
    'bill.sci_notation',
    'Amounts of a record are written with an exponent, such as 5.1e-6.',
    scientific,
  ),
  formFault('bill.number_not_string', 'Amounts of a record are JSON numbers.', Number),
  formFault('bill.comma', 'Amounts of a record have a decimal comma.', (text) => text.replace('.', ',')),
  wrongRecord({
    id: 'bill.negative',
    summary: 'The amount of a record is negative, and credit is given for it; or its input tokens are.',
    shape: {
      variant: z.enum(['amount', 'input_tokens']).default('amount').describe('What is negative.'),
    },
    applies: paidCall,
    change: ({ variant }, { record }) => {
      if (record.status !== 'settled') return null;
      const { amount, usage } = record;
      return variant === 'amount'
        ? charged(record, -amount)
        : { usage: { ...usage, input: usage.input === 0 ? 0 : -usage.input } };
    },
  }),
];

function formFault(id: string, summary: string, writer: AmountWriter): FaultDefinition {
  return defineFault({
    id,
    summary,
    charge: 'charged',
    shape: {},
    applies: paidCall,
    arm: (_parameters, { fire }) => ({
      booked({ forms, record }) {
        forms.set(record.id, writer);
        fire();
      },
    }),
  });
}

function scientific(text: string): string {
  const value = parseDecimal(text);
  if (value === null || value.digits === 0n) return text;
  const digits = value.digits.toString().replace('-', '').replace(/0+$/, '');
  const exponent = value.digits.toString().replace('-', '').length - 1 - value.scale;
  const sign = value.digits < 0n ? '-' : '';
  return `${sign}${digits.slice(0, 1)}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e${exponent}`;
}
