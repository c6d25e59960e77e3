import { existsSync } from 'node:fs';
import type { LeafFigure, UsageWindow } from '../contracts/usage-lines.ts';
import { parseAmount } from '../core/amount.ts';
import { textLines } from '../ledger/text-lines.ts';

/**
 * What the records of a part sum to, one value for each way of forming the sum where the interface is silent: `settled`
 * before or after refunds, `pending` from reserves or amounts, `refunded` over all records or only those with that
 * status. Counts, or 10⁻¹² USD; null once a figure was unreadable.
 */
export type PartSums = Readonly<Record<LeafFigure, readonly (bigint | null)[]>>;

export const NO_SUMS: PartSums = { records: [0n], settled: [0n, 0n], pending: [0n, 0n], refunded: [0n, 0n] };

/** The walk whose lines are summed. */
export interface WalkLines {
  readonly path: string;
  readonly sweep: number;
  readonly pass: number;
}

/** Sums of the records that one walk left in the run folder, part by part; they are read again and never all held. */
export async function sumsOfParts(
  lines: WalkLines,
  parts: readonly UsageWindow[],
): Promise<readonly PartSums[]> {
  const sums = parts.map(() => NO_SUMS);
  for await (const record of walkRecords(lines)) {
    const second = numberOf(record, 'created_at');
    const index = second === null ? -1 : partOf(parts, second);
    const held = sums[index];
    if (held !== undefined) sums[index] = addSums(held, sumsOf(record));
  }
  return sums;
}

/** The same for one window, by model. */
export async function sumsByModel(
  lines: WalkLines,
  window: UsageWindow,
): Promise<ReadonlyMap<string, PartSums>> {
  const sums = new Map<string, PartSums>();
  for await (const record of walkRecords(lines)) {
    const second = numberOf(record, 'created_at');
    if (second === null || second < window.start || second >= window.end) continue;
    const model = textOf(record, 'model') ?? '';
    sums.set(model, addSums(sums.get(model) ?? NO_SUMS, sumsOf(record)));
  }
  return sums;
}

export function sumsOf(record: unknown): PartSums {
  const status = textOf(record, 'billing_status');
  const amount = amountOf(record, 'amount');
  const reserved = amountOf(record, 'reserved_amount');
  const refunded = amountOf(record, 'refunded_amount');
  const net = amount === null || refunded === null ? null : amount - refunded;
  return {
    records: [1n],
    settled: status === 'settled' ? [amount, net] : [0n, 0n],
    pending: status === 'pending' ? [reserved, amount] : [0n, 0n],
    refunded: [refunded, status === 'refunded' ? refunded : 0n],
  };
}

export function addSums(left: PartSums, right: PartSums): PartSums {
  const add = (figure: LeafFigure): readonly (bigint | null)[] =>
    left[figure].map((value, index) => {
      const other = right[figure][index] ?? null;
      return value === null || other === null ? null : value + other;
    });
  return {
    records: add('records'),
    settled: add('settled'),
    pending: add('pending'),
    refunded: add('refunded'),
  };
}

async function* walkRecords({ path, sweep, pass }: WalkLines): AsyncGenerator<unknown> {
  if (!existsSync(path)) return;
  const own = `"sweep":${sweep},"by_request_id":false,"pass":${pass},`;
  for await (const { text } of textLines(path)) {
    if (!text.slice(0, 200).includes(own)) continue;
    const line: unknown = JSON.parse(text);
    yield typeof line === 'object' && line !== null ? Reflect.get(line, 'record') : null;
  }
}

/** Parts are in order and without gaps. */
function partOf(parts: readonly UsageWindow[], second: number): number {
  let [low, high] = [0, parts.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const part = parts[middle];
    if (part === undefined) return -1;
    if (second < part.start) high = middle - 1;
    else if (second >= part.end) low = middle + 1;
    else return middle;
  }
  return -1;
}

function fieldOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, name) : undefined;
}

function textOf(record: unknown, name: string): string | null {
  const value = fieldOf(record, name);
  return typeof value === 'string' ? value : null;
}

function numberOf(record: unknown, name: string): number | null {
  const value = fieldOf(record, name);
  return typeof value === 'number' ? value : null;
}

function amountOf(record: unknown, name: string): bigint | null {
  const text = textOf(record, name);
  return text === null ? null : parseAmount(text);
}
