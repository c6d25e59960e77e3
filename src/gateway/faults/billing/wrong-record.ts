import type { z } from 'zod';
import type { PicoUsd } from '../../../core/amount.ts';
import type { CallBooks } from '../../charging/call-books.ts';
import type { RecordChange } from '../../charging/charge-ledger.ts';
import type { ChargeRecord } from '../../events/charge-record.ts';
import { defineFault, type FaultDefinition, type ParameterShape } from '../../hooks/fault-definition.ts';
import { type Hit, paidCall } from '../hit.ts';

/** A settled record at another amount; what its reserve held beyond it is given back. */
export function charged(
  { reserved }: Pick<ChargeRecord, 'reserved'>,
  amount: PicoUsd,
): { readonly status: 'settled'; readonly amount: PicoUsd; readonly refunded: PicoUsd } {
  return { status: 'settled', amount, refunded: reserved > amount ? reserved - amount : 0n };
}

/** What a fault says of itself whose record of a call is wrong; it hits every paid call unless it says otherwise. */
type NamedFault = Pick<FaultDefinition, 'id' | 'summary'> & { readonly applies?: Hit };

/**
 * A fault that books the record of a call with something changed. It fires with the change of the bill, and not at all
 * where `change` gives null or what stands there already.
 */
export function wrongRecordBy<S extends ParameterShape>(
  fault: NamedFault & {
    readonly shape: S;
    readonly change: (parameters: z.infer<z.ZodObject<S>>, books: CallBooks) => RecordChange | null;
  },
): FaultDefinition {
  const { change, ...definition } = fault;
  return defineFault({
    applies: paidCall,
    ...definition,
    charge: 'wrong',
    arm: (parameters, context) => ({
      booked(books) {
        const wanted = change(parameters, books);
        if (wanted !== null && differs(books.record, wanted)) context.fire(books.amend(wanted));
      },
    }),
  });
}

/** Such a fault without parameters. */
export function wrongRecord(
  fault: NamedFault & { readonly change: (books: CallBooks) => RecordChange | null },
): FaultDefinition {
  return wrongRecordBy({ ...fault, shape: {}, change: (_parameters, books) => fault.change(books) });
}

/** Such a fault of a settled record whose amount alone is wrong; null leaves it. */
export function wrongAmount<S extends ParameterShape>(
  fault: NamedFault & {
    readonly shape: S;
    readonly amount: (parameters: z.infer<z.ZodObject<S>>, books: CallBooks) => PicoUsd | null;
  },
): FaultDefinition {
  const { amount, ...definition } = fault;
  return wrongRecordBy({
    ...definition,
    change(parameters, books) {
      const wrong = books.record.status === 'settled' ? amount(parameters, books) : null;
      return wrong === null ? null : charged(books.record, wrong);
    },
  });
}

function differs(record: ChargeRecord, change: RecordChange): boolean {
  const held = new Map<string, unknown>(Object.entries(record));
  return Object.entries(change).some(([name, value]) => textOf(held.get(name)) !== textOf(value));
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
