import type { FaultDefinition } from '../fault-definition.ts';
import { textCall } from './paid-call-subject.ts';
import { charged, wrongRecord } from './wrong-record.ts';

/** Text calls that did not reach their end. */
export const ABORTED_CALL_FAULTS: readonly FaultDefinition[] = [
  wrongRecord({
    id: 'bill.charge_prompt_only_on_abort',
    summary: 'A call that ended before any output is charged its prompt.',
    shape: {},
    applies: textCall,
    change: (_parameters, books) => {
      const { record, used } = books;
      const amount = record.status === 'refunded' && used.input > 0 ? books.price(used) : null;
      return amount === null ? null : { ...charged(record, amount), usage: used, estimated: true };
    },
  }),
  wrongRecord({
    id: 'bill.zero_on_abort',
    summary: 'A call that was cut after output is charged nothing.',
    shape: {},
    applies: textCall,
    change: (_parameters, { record }) =>
      record.status === 'settled' && record.result !== 'completed' ? charged(record, 0n) : null,
  }),
  wrongRecord({
    id: 'bill.incomplete_as_completed',
    summary: 'The record of a call that was cut says completed.',
    shape: {},
    applies: textCall,
    change: (_parameters, { record }) => (record.result === 'incomplete' ? { result: 'completed' } : null),
  }),
];
