import type { CallRow } from '../../contracts/ledger-lines.ts';
import { billedOutcome } from '../../contracts/outcome.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { isPaidKind, isTextKind } from '../../core/call-kind.ts';
import { parseInstant } from '../../core/time.ts';
import { type ChargeFacts, NO_FACTS, type Quantity } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';

/** Statuses with which the interface says that nothing was generated (docs/spend.md). */
const NOTHING_DONE: readonly number[] = [400, 401, 402, 403, 404, 413, 422, 429];

/**
 * What a paid call cost by the book and the units that it told, the most where they leave it open; null where nothing proves
 * it: the reserve stays then.
 */
export function priceOfRow(book: PriceBook | null, row: CallRow, group: string | null): PicoUsd | null {
  if (neverCharged(row)) return 0n;
  if (book === null || billedOutcome(row) !== 'ok' || row.model === null || !isPaidKind(row.kind))
    return null;
  const facts = isTextKind(row.kind) ? textFacts(row) : unitFacts(row);
  if (facts === null) return null;
  const ms = parseInstant(row.started_at);
  const tier = row.service_tier ?? 'default';
  const charge = evaluateCharge(book, facts, {
    model: row.model,
    endpoint: row.kind,
    at_s: ms === null ? null : ms / 1000,
    when: tier === 'default' ? {} : { service_tier: tier },
    group,
    key_fp: row.key_fp,
  });
  return 'unpriced' in charge ? null : charge.hi;
}

/** Refused, or never had a connection. */
function neverCharged({ outcome, status, conn_reused }: CallRow): boolean {
  if (outcome === 'http_error') return status !== null && NOTHING_DONE.includes(status);
  return conn_reused === null && status === null;
}

function textFacts({ usage, tools }: CallRow): ChargeFacts | null {
  const input = usage?.input ?? null;
  const output = usage?.output ?? null;
  if (usage === null || input === null || output === null) return null;
  return {
    ...NO_FACTS,
    input: BigInt(input),
    output: BigInt(output),
    // What a format does not tell of the cache is taken as none: the dearer reading of input.
    cache_read: BigInt(usage.cache_read ?? 0),
    cache_write: BigInt(usage.cache_write ?? 0),
    reasoning: counted(usage.reasoning),
    images: 0n,
    tools: Object.fromEntries(Object.entries(tools ?? {}).map(([name, count]) => [name, BigInt(count)])),
  };
}

function unitFacts({ units }: CallRow): ChargeFacts {
  const { images, size, quality, seconds, resolution } = units ?? NO_UNITS;
  return {
    ...NO_FACTS,
    images: counted(images),
    size,
    quality,
    seconds: seconds === null ? null : BigInt(Math.ceil(seconds)),
    resolution,
    tools: {},
  };
}

const NO_UNITS = { images: null, size: null, quality: null, seconds: null, resolution: null };

function counted(count: number | null): Quantity {
  return count === null ? null : BigInt(count);
}
