import type { BillLine } from '../../bill/read/bill-line.ts';
import { BILL_MAPPINGS } from '../../bill/read/bill-mapping.ts';
import { billCorrupt } from '../../bill/read/bill-problem.ts';
import { type BillZone, billZone } from '../../bill/weigh/bill-zone.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { UPSTREAM_SCHEMA, type UpstreamCall } from '../../contracts/upstream-call.ts';
import { behindNoise, formatAmount, parseAmount } from '../../core/amount.ts';
import { formatTrimmed } from '../../core/decimal.ts';
import { formatInstant } from '../../core/time.ts';
import { readBillFiles } from '../folder/bill-document.ts';

/** What a bill by day and model tells, a line each. */
export interface BilledSums {
  readonly mapping: string;
  readonly calls: readonly UpstreamCall[];
  readonly notes: readonly string[];
}

/** Whether a name is that of a ready mapping of bills. */
export function isBillMapping(named: string): boolean {
  return BILL_MAPPINGS.names.includes(named);
}

/**
 * Reads a provider's bill that tells sums. Its days are those of the zone that its mapping tells, else of UTC. Throws
 * `upstream_without_amounts`, and as `readBillFiles` (exit 2).
 */
export function billedSums(file: string, mapping: string | null): BilledSums {
  const bill = readBillFiles([file], mapping);
  if (bill.unit !== 'USD')
    throw new WeighbridgeError({
      code: 'upstream_without_amounts',
      message: `The bill ${file} has tokens, but no amounts (${bill.mapping.name}).`,
      hint: 'Export the costs of the same days, such as openai-costs instead of openai-usage.',
    });
  const { zone } = bill.mapping;
  const days = billZone(zone ?? 'UTC');
  return {
    mapping: bill.mapping.name,
    calls: bill.lines.map((line) => sumOf(line, days)),
    notes: [
      ...(zone === undefined ? ['the bill tells no zone: its days are taken as UTC'] : []),
      ...bill.torn,
    ],
  };
}

function sumOf(line: BillLine, { utc }: BillZone): UpstreamCall {
  return {
    schema: UPSTREAM_SCHEMA,
    type: 'call',
    ids: [],
    marker: null,
    model: line.model ?? '',
    at: formatInstant(utc(line.start) * 1000),
    until: formatInstant(utc(line.end) * 1000),
    cost: costOf(line),
    input: null,
    output: null,
    cache_read: null,
    cache_write: null,
  };
}

function costOf({ amount, place }: BillLine): string {
  const text = amount === null ? '' : formatTrimmed(amount);
  const cost = behindNoise(text) ?? parseAmount(text);
  if (cost !== null) return formatAmount(cost);
  throw billCorrupt(place, `amount: expected USD of at most 12 decimals, found ${JSON.stringify(text)}`);
}
