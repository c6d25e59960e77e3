import * as z from 'zod';
import { AMOUNT_SCALE } from '../../../core/amount.ts';
import type { CallBooks } from '../../charging/call-books.ts';
import type { RecordChange } from '../../charging/charge-ledger.ts';
import { NO_EXTRAS } from '../../charging/text-extras.ts';
import { NO_TOKENS } from '../../events/charge-record.ts';
import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { textCall } from '../hit.ts';
import { mostPossible } from './most-possible.ts';
import { charged, wrongRecord, wrongRecordBy } from './wrong-record.ts';

const EXACT = { decimals: AMOUNT_SCALE, mode: 'trunc' } as const;

/** Text calls that did not reach their end. */
export const ABORTED_CALL_FAULTS: readonly FaultDefinition[] = [
  wrongRecord({
    id: 'bill.charge_prompt_only_on_abort',
    summary: 'A call that ended before any output is charged its prompt.',
    applies: textCall,
    change: (books) => {
      const { record, used } = books;
      const amount = record.status === 'refunded' && used.input > 0 ? books.price(used) : null;
      return amount === null ? null : { ...charged(record, amount), usage: used, estimated: true };
    },
  }),
  wrongRecord({
    id: 'bill.zero_on_abort',
    summary: 'A call that was cut after output is charged nothing.',
    applies: textCall,
    change: ({ record }) =>
      record.status === 'settled' && record.result !== 'completed' ? charged(record, 0n) : null,
  }),
  wrongRecord({
    id: 'bill.incomplete_as_completed',
    summary: 'The record of a call that was cut says completed.',
    applies: textCall,
    change: ({ record }) => (record.result === 'incomplete' ? { result: 'completed' } : null),
  }),
  wrongRecordBy({
    id: 'bill.charge_on_abort',
    summary:
      'A call that was cut after output is charged, as an estimate, more than it can have come to, or less than one token of it.',
    shape: {
      variant: z
        .enum(['above_possible', 'below_one_token'])
        .default('above_possible')
        .describe(
          'Half as much again as the longest output of the model; one input token, where an output token costs more.',
        ),
    },
    applies: textCall,
    change: ({ variant }, books) => {
      if (books.record.status !== 'settled' || books.record.result === 'completed') return null;
      return variant === 'above_possible' ? abovePossible(books) : belowOneToken(books);
    },
  }),
];

function abovePossible(books: CallBooks): RecordChange | null {
  const wrong = mostPossible(books);
  return wrong === null ? null : { ...charged(books.record, wrong.amount), usage: wrong.usage };
}

/** One input token and nothing else, which is less than the text that came where output is the dearer one. */
function belowOneToken(books: CallBooks): RecordChange | null {
  if (books.work?.kind !== 'text') return null;
  const work = { ...books.work, extras: NO_EXTRAS };
  const usage = { ...NO_TOKENS, input: 1 };
  const amount = books.price(usage, work);
  const ofOutput = books.price({ ...NO_TOKENS, output: 1 }, work, EXACT);
  if (amount === null || ofOutput === null || amount === 0n || amount >= ofOutput) return null;
  return { ...charged(books.record, amount), usage };
}
