import { type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { Plan } from '../../core/plan.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { ledgerEnds } from '../judge/ledger-ends.ts';
import { heldOf } from './trial-spend.ts';

type Ledger = Pick<LoadedLedger, 'headers' | 'intents' | 'rows' | 'states' | 'problems'>;

/**
 * The most that the calls of a ledger have cost: what each load engine that ended in order still held of its cap, and of
 * one that was killed each call that it was about to send, at its worst case unless its row says less. Null where that
 * is not known.
 */
export function spentAtMost(ledger: Ledger, { cap }: Pick<Plan, 'cap'>): PicoUsd | null {
  const { unclosed, gaps } = ledgerEnds({ ...ledger, text_files: [], unknown_lines: 0 });
  // An intent may stand on a line that cannot be read.
  if (gaps.length > 0) return null;
  let sum: PicoUsd | null = 0n;
  for (const instance of new Set(ledger.headers.map((header) => header.instance))) {
    const spent = unclosed.includes(instance) ? ofIntents(ledger, cap, instance) : ofStates(ledger, instance);
    sum = sum === null || spent === null ? null : sum + spent;
  }
  return sum;
}

function ofStates({ states }: Ledger, instance: string): PicoUsd | null {
  const text = states.findLast((state) => state.instance === instance)?.reserved_usd ?? null;
  return text === null ? null : parseAmount(text);
}

function ofIntents({ intents, rows }: Ledger, cap: Plan['cap'], instance: string): PicoUsd | null {
  const rowOf = new Map(rows.map((row) => [row.call_id, row]));
  let sum = 0n;
  for (const intent of intents.filter((each) => each.instance === instance)) {
    const worst = intent.worst_case_usd === null ? null : parseAmount(intent.worst_case_usd);
    if (worst === null) return null;
    const row = rowOf.get(intent.call_id);
    sum += row === undefined ? worst : heldOf(cap, row);
  }
  return sum;
}
