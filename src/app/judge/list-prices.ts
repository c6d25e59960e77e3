import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { isNotOurs } from '../../contracts/match-pass.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { isPaidKind, type PaidKind } from '../../core/call-kind.ts';
import { contextOf } from '../../pricebook/charge/charge-context.ts';
import { type ChargeFacts, NO_FACTS } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import type { Markup, MarkupLine } from '../../report/sections/markup-section.ts';

const FILE = 'list-prices.book';

/** Checks a price list and keeps it in the run folder. Throws `list_prices_unreadable` (exit 2). */
export function storeListPrices(runDir: string, file: string): void {
  const bytes = bytesOf(file);
  bookOf(bytes, file);
  writeFileSync(join(runDir, FILE), bytes);
}

export function hasListPrices(runDir: string): boolean {
  return existsSync(join(runDir, FILE));
}

/** The bill against the price list that a run folder holds; null where there is none. */
export function markupOf(runDir: string, { calls }: Reconciliation): Markup | null {
  const file = join(runDir, FILE);
  if (!existsSync(file)) return null;
  const book = bookOf(bytesOf(file), file);
  const byModel = new Map<string, ModelSum>();
  const total: ModelSum = { calls: 0, charged: 0n, at_list: 0n };
  let without = 0;
  for (const call of calls) {
    const charged = isNotOurs(call.match) ? null : parseAmount(call.money?.charged ?? null);
    if (charged === null || charged === 0n) continue;
    const atList = listPrice(book, call);
    if (atList === null) {
      without += 1;
      continue;
    }
    const model = call.record?.model ?? call.model ?? '';
    const sum = byModel.get(model) ?? { calls: 0, charged: 0n, at_list: 0n };
    for (const each of [sum, total]) {
      each.calls += 1;
      each.charged += charged;
      each.at_list += atList;
    }
    byModel.set(model, sum);
  }
  const sums = [...byModel].sort(([, left], [, right]) => (left.charged < right.charged ? 1 : -1));
  return {
    list: `${book.pricebook_id} (SHA-256 ${book.source.sha256})`,
    total: lineOf(total),
    by_model: sums.map(([model, sum]) => ({ model, ...lineOf(sum) })),
    without,
  };
}

/** Of one model, or of all. */
interface ModelSum {
  calls: number;
  charged: PicoUsd;
  at_list: PicoUsd;
}

function lineOf({ calls, charged, at_list }: ModelSum): MarkupLine {
  return { calls, charged: formatAmount(charged), at_list: formatAmount(at_list) };
}

/** Null where the list has no one price for it. */
function listPrice(book: PriceBook, call: JudgedCall): PicoUsd | null {
  const facts = factsOf(call);
  const model = call.record?.model ?? call.model;
  if (facts === null || model === null) return null;
  const context = contextOf(model, kindOf(call));
  const charge = evaluateCharge(book, facts, { ...context, at_s: call.record?.created_at ?? null });
  return 'unpriced' in charge ? null : charge.rounded;
}

/** A record without a call has no kind of its own; its meters tell enough. */
function kindOf({ kind, lines }: JudgedCall): PaidKind {
  if (kind !== null && isPaidKind(kind)) return kind;
  const meters = lines.map(({ meter }) => meter);
  return meters.includes('image') ? 'image' : meters.includes('video_second') ? 'video' : 'chat';
}

/** The units that the call was judged by; null where one is no whole number. */
function factsOf({ lines, row }: JudgedCall): ChargeFacts | null {
  const own = lines.filter(({ meter }) => !meter.startsWith('adjustment:'));
  if (own.length === 0 || own.some(({ units }) => !/^\d+$/.test(units))) return null;
  const units = (meter: string): bigint =>
    own.reduce((sum, line) => (line.meter === meter ? sum + BigInt(line.units) : sum), 0n);
  const read = units('cache_read_token');
  const written = units('cache_write_token');
  return {
    ...NO_FACTS,
    input: units('input_token') + read + written,
    output: units('output_token'),
    cache_read: read,
    cache_write: written,
    images: units('image'),
    size: row?.units?.size ?? null,
    quality: row?.units?.quality ?? null,
    seconds: units('video_second'),
    resolution: row?.units?.resolution ?? null,
  };
}

function bookOf(bytes: Uint8Array, file: string): PriceBook {
  const reading = readPriceBook(bytes);
  if ('book' in reading) return reading.book;
  throw unreadable(`The list prices in ${basename(file)} cannot be read: ${reading.unreadable.join('; ')}.`);
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unreadable(
      `The list prices in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    );
  }
}

function unreadable(message: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'list_prices_unreadable',
    message,
    hint: 'Give a price list in a layout that docs/pricebooks.md names.',
  });
}
