import * as z from 'zod';
import type { PicoUsd } from '../../core/amount.ts';
import type { Disconnect, WrongAnswer } from '../hooks/answer-hooks.ts';
import type { FaultContext, FaultHooks } from '../hooks/fault-definition.ts';

const MAX_LATE_S = 3600;

/** Parameters of a fault that withholds the answer of a paid call, which may be carried out all the same. */
export const chargedAnyway = {
  charge: z
    .enum(['none', 'charged', 'late'])
    .default('none')
    .describe(
      'none: the call is not carried out. charged: it is, and settled whole before the answer. late: settled `after_s` after the answer. Reads cost nothing in any case.',
    ),
  after_s: z.int().min(1).max(MAX_LATE_S).default(30).describe('Used by `late`: seconds to the settlement.'),
};

/**
 * Puts an answer in the place of the right one. A call that is carried out all the same is wrong by the whole
 * amount: the customer got nothing for it. A stream is carried out unseen, and a task goes on to its own end.
 */
export function withheld(
  { fire, subject }: FaultContext,
  { charge, after_s }: { readonly charge: 'none' | 'charged' | 'late'; readonly after_s: number },
  answer: () => WrongAnswer | Disconnect,
  /** False: an answer that is withheld from a call that was not charged is no such fault, and leaves no line. */
  isWrongUncharged = true,
): FaultHooks {
  if (charge === 'none' || subject.kind === null) {
    return {
      instead() {
        fire();
        return answer();
      },
    };
  }
  let withheldNow = false;
  let charged: PicoUsd | null = null;
  const fireWhenBoth = (): void => {
    if (withheldNow && charged !== null && (isWrongUncharged || charged !== 0n)) fire(charged);
  };
  return {
    streamed: () => false,
    settleAfter: () => (charge === 'late' ? after_s * 1000 : null),
    settled({ amount }) {
      charged = amount;
      fireWhenBoth();
    },
    replace({ status }) {
      // Refused by the gateway itself: there is no charge to be wrong about.
      if (status >= 400) return null;
      withheldNow = true;
      fireWhenBoth();
      return answer();
    },
    ended() {
      if (withheldNow && isWrongUncharged) fire();
    },
  };
}
