import * as z from 'zod';
import type { CallBooks } from '../../charging/call-books.ts';
import type { RecordChange } from '../../charging/charge-ledger.ts';
import type { TokenUsage } from '../../events/charge-record.ts';
import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { textCall } from '../hit.ts';
import { charged, wrongRecord, wrongRecordBy } from './wrong-record.ts';

/** Records that count other tokens than the answer told, and charge by them. */
export const WRONG_TOKEN_FAULTS: readonly FaultDefinition[] = [
  wrongRecordBy({
    id: 'bill.token_mismatch',
    summary: 'The record counts more or fewer tokens than the answer reported, and charges by them.',
    shape: {
      variant: z.enum(['output', 'input']).default('output').describe('Which tokens.'),
      percent: z
        .int()
        .min(-99)
        .max(1000)
        .default(10)
        .describe('How many more, at least one; fewer if it is negative.'),
    },
    applies: textCall,
    change: ({ variant, percent }, books) =>
      books.record.result === 'completed'
        ? byTokens(books, { ...books.used, [variant]: changedBy(books.used[variant], percent) })
        : null,
  }),
  wrongRecord({
    id: 'bill.swap_in_out',
    summary: 'The record swaps input and output tokens, and charges by them.',
    applies: textCall,
    change: (books) => {
      const { input, output } = books.used;
      return byTokens(books, { input: output, output: input, cacheRead: 0, cacheWrite: 0 });
    },
  }),
  wrongRecord({
    id: 'bill.cache_dropped',
    summary: 'The record has no cache tokens: all input is charged at the full price.',
    applies: textCall,
    change: (books) => byTokens(books, { ...books.used, cacheRead: 0, cacheWrite: 0 }),
  }),
  wrongRecordBy({
    id: 'bill.estimated_high',
    summary: 'Output tokens are estimated too high, flagged as an estimate, and charged.',
    shape: {
      variant: z
        .enum(['completed', 'cut'])
        .default('completed')
        .describe('Calls whose answer reported the right count, or those that were cut.'),
      percent: z.int().min(1).max(1000).default(40).describe('How many more, at least one.'),
    },
    applies: textCall,
    change: ({ variant, percent }, books) => {
      if ((variant === 'completed') !== (books.record.result === 'completed')) return null;
      const change = byTokens(books, { ...books.used, output: changedBy(books.used.output, percent) });
      return change === null ? null : { ...change, estimated: true };
    },
  }),
  wrongRecordBy({
    id: 'bill.estimated_unflagged',
    summary: 'The record of a call that was cut holds an estimate, somewhat too high, and does not say so.',
    shape: { percent: z.int().min(0).max(1000).default(20).describe('How many output tokens more.') },
    applies: textCall,
    change: ({ percent }, books) => {
      if (!books.record.estimated) return null;
      const output = percent === 0 ? books.used.output : changedBy(books.used.output, percent);
      const change = byTokens(books, { ...books.used, output });
      return change === null ? null : { ...change, estimated: false };
    },
  }),
];

function changedBy(count: number, percent: number): number {
  const change = Math.round((count * percent) / 100);
  return Math.max(0, count + (change === 0 ? Math.sign(percent) : change));
}

/** A settled record at other tokens, priced by them; null for one that is not settled. */
function byTokens(books: CallBooks, usage: TokenUsage): RecordChange | null {
  if (books.record.status !== 'settled') return null;
  const cached = usage.cacheRead + usage.cacheWrite;
  const counted = { ...usage, input: Math.max(usage.input, cached) };
  const amount = books.price(counted);
  return amount === null ? null : { ...charged(books.record, amount), usage: counted };
}
