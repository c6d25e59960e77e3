import * as z from 'zod';
import type { PicoUsd } from '../../../core/amount.ts';
import type { Disconnect, WrongAnswer } from '../../hooks/answer-hooks.ts';
import {
  defineFault,
  type FaultContext,
  type FaultDefinition,
  type FaultHooks,
} from '../../hooks/fault-definition.ts';
import { withheld } from '../charged-anyway.ts';
import { paidCall, textCall } from '../hit.ts';
import { errorAnswerOf } from '../http/error-answer-of.ts';
import { mostPossible } from './most-possible.ts';
import { charged } from './wrong-record.ts';

const MESSAGES = {
  '500': 'The service could not answer this request',
  '502': 'The channel for this model is temporarily unavailable',
  '504': 'The model did not respond in time',
} as const;

/** Calls that are charged though their client got an answer of the server's failure, or none. */
export const CHARGED_UNSERVED_FAULTS: readonly FaultDefinition[] = [
  defineFault({
    id: 'bill.charge_server_error',
    summary: 'A call is carried out and charged, and the client is told that the service failed.',
    charge: 'wrong',
    shape: {
      variant: z
        .enum(['whole', 'above_possible'])
        .default('whole')
        .describe(
          'What was carried out; half as much again as the longest output of the model, or two images or videos.',
        ),
      status: z.enum(['500', '502', '504']).default('500').describe('Status of the answer.'),
    },
    applies: paidCall,
    arm: ({ variant, status }, context) => {
      const charging = variant === 'whole' ? chargedUnserved : overchargedUnserved;
      return charging(context, () => serverError(context, status));
    },
  }),
  defineFault({
    id: 'bill.retry_double_charge',
    summary:
      'A call is carried out and charged, and its client gets a failure after which it sends the call again: that attempt is served and charged as any other.',
    charge: 'wrong',
    shape: {
      variant: z
        .enum(['server_error', 'timeout', 'reset'])
        .default('server_error')
        .describe('Status 500; status 504; the connection ends before the first byte.'),
    },
    // An image or video that is sent again with its idempotency key is not charged again.
    applies: textCall,
    arm: ({ variant }, context) =>
      chargedUnserved(context, () =>
        variant === 'reset' ? 'reset' : serverError(context, variant === 'timeout' ? '504' : '500'),
      ),
  }),
];

function serverError(context: FaultContext, status: keyof typeof MESSAGES): WrongAnswer {
  const message = MESSAGES[status];
  return errorAnswerOf(context, { status: Number(status), code: 'upstream_error', message });
}

/** Charged what it is charged rightly: wrong by all of it, since the customer got nothing for it. */
function chargedUnserved(context: FaultContext, answer: () => WrongAnswer | Disconnect): FaultHooks {
  return withheld(context, { charge: 'charged', after_s: 1 }, answer, false);
}

/** Charged more than it can have come to. Fires once the call is over and its answer withheld, whichever comes first. */
function overchargedUnserved(context: FaultContext, answer: () => WrongAnswer | Disconnect): FaultHooks {
  let whole: PicoUsd | null = null;
  let beyond: PicoUsd = 0n;
  let isOver = false;
  const fireWhenBoth = (): void => {
    if (isOver && whole !== null) context.fire(whole + beyond);
  };
  const told: FaultContext = {
    ...context,
    fire(delta = 0n) {
      whole = delta;
      fireWhenBoth();
    },
  };
  return {
    ...chargedUnserved(told, answer),
    booked(books) {
      const wrong = mostPossible(books);
      if (wrong === null) return;
      beyond = books.amend({ ...charged(books.record, wrong.amount), usage: wrong.usage });
    },
    ended() {
      isOver = true;
      fireWhenBoth();
    },
  };
}

const REFUSALS: Readonly<Record<string, string>> = {
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
          message: REFUSALS[variant] ?? '',
        }),
      false,
    ),
});
