import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { withheld } from '../charged-anyway.ts';
import { errorAnswerOf } from '../http/error-answer-of.ts';
import { paidCall } from './paid-call-subject.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  '400': 'The request is not valid',
  '403': 'This key is not allowed to do that',
  '429': 'The request limit of this key is exceeded; wait and try again',
};

export const billChargeRejected = defineFault({
  id: 'bill.charge_rejected',
  summary: 'A call is carried out and charged whole, and the client is told that it was refused.',
  charge: 'wrong',
  shape: {
    variant: z.enum(['400', '403', '429']).default('429').describe('Status of the refusal.'),
  },
  applies: paidCall,
  arm: ({ variant }, context) =>
    withheld(
      context,
      { charge: 'charged', after_s: 1 },
      () =>
        errorAnswerOf(context, {
          status: Number(variant),
          code: variant === '403' ? 'access_denied' : '',
          message: MESSAGES[variant] ?? '',
        }),
      false,
    ),
});
