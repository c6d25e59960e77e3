import { readFileSync } from 'node:fs';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { JudgedCall } from '../../contracts/reconciliation.ts';
import { UPSTREAM_SCHEMA, type UpstreamCall } from '../../contracts/upstream-call.ts';
import { ledgerFiles } from '../../ledger/ledger-files.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { DEFAULT_TOLERANCES } from '../../reconcile/input/reconcile-input.ts';
import { reconcile } from '../../reconcile/reconcile.ts';
import { unreadReason } from '../folder/folder-file.ts';

/**
 * The calls of a ledger of ours, which the gateway wrote of its provider, priced by a book: a ledger tells no charges.
 * A call whose price is not one figure has no known cost. Throws `upstream_pricebook_missing`, `book_missing`,
 * `book_unreadable` (exit 2), and as `loadLedger`.
 */
export async function pricedLedger(path: string, book: string | undefined): Promise<readonly UpstreamCall[]> {
  if (book === undefined)
    throw new WeighbridgeError({
      code: 'upstream_pricebook_missing',
      message: `The ledger ${path} has no charges, so its calls need a price list, and none is given.`,
      hint: 'Give the price list of the provider with --upstream-pricebook FILE.',
    });
  const reading = readPriceBook(bytesOf(book));
  if ('unreadable' in reading)
    throw new WeighbridgeError({
      code: 'book_unreadable',
      message: `The price list ${book} cannot be read: ${reading.unreadable.join('; ')}.`,
      hint: 'Correct the file. docs/pricebooks.md shows the known layouts.',
    });
  const ledger = await loadLedger(await ledgerFiles(path));
  const { calls } = reconcile({
    plan: null,
    ledger,
    reads: [],
    records: [],
    totals: [],
    books: [{ sha256: reading.book.source.sha256, reading: { ...reading, identified: false }, own: true }],
    basis: 'ledger',
    key: 'exclusive',
    tolerances: DEFAULT_TOLERANCES,
    terms: NO_TERMS,
    suspense: null,
    upstream: new Map(),
  });
  return calls.map(callOf);
}

function callOf({ row, request_id, call_id, model, started_at, expected }: JudgedCall): UpstreamCall {
  const { usage = null } = row ?? {};
  const ids = [row?.request_id ?? request_id, ...(row?.request_ids ?? []), row?.response_id, row?.job?.id];
  const told = ids.filter((id): id is string => typeof id === 'string' && id !== '');
  return {
    schema: UPSTREAM_SCHEMA,
    type: 'call',
    // A call that got no answer has no id but that of its row.
    ids: [...new Set([...told, ...(call_id === null ? [] : [call_id])])],
    marker: null,
    model: model ?? '',
    at: started_at,
    cost: expected,
    input: usage?.input ?? null,
    output: usage?.output ?? null,
    cache_read: usage?.cache_read ?? null,
    cache_write: usage?.cache_write ?? null,
  };
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'book_missing',
      message: `The price list ${file} cannot be read: ${unreadReason(cause)}.`,
      hint: 'Correct the path of --upstream-pricebook.',
      cause,
    });
  }
}
