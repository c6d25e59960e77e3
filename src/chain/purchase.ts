import type { UpstreamCall } from '../contracts/upstream-call.ts';
import { type PicoUsd, parseAmount } from '../core/amount.ts';
import { parseInstant } from '../core/time.ts';
import type { Tokens } from './sale.ts';

/** One call that the gateway made to its provider: one line of the file, or all lines under its id. */
export interface Purchase {
  /** Its own id, or the place of its line. */
  readonly name: string;
  readonly ids: readonly string[];
  readonly markers: readonly string[];
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly at_ms: number | null;
  /** The end of the time whose calls it sums; null for one call. */
  readonly until_ms: number | null;
  /** Null where a line tells no amount. */
  readonly cost: PicoUsd | null;
  readonly tokens: Tokens | null;
}

/** A reserve and its settlement, or a charge and its credit, come as lines of one id. */
export function purchasesOf(calls: readonly UpstreamCall[]): readonly Purchase[] {
  const groups = Map.groupBy(
    calls.map((call, index) => ({ call, name: call.ids[0] ?? `line ${index + 1}` })),
    ({ name }) => name,
  );
  return [...groups].map(([name, lines]) =>
    purchaseOf(
      name,
      lines.map(({ call }) => call),
    ),
  );
}

function purchaseOf(name: string, calls: readonly UpstreamCall[]): Purchase {
  const costs = calls.map(({ cost }) => parseAmount(cost));
  const times = calls.flatMap(({ at }) => parseInstant(at ?? '') ?? []);
  return {
    name,
    ids: [...new Set(calls.flatMap(({ ids }) => ids))],
    markers: [...new Set(calls.flatMap(({ marker }) => marker ?? []))],
    model: calls.find(({ model }) => model !== '')?.model ?? '',
    until_ms: parseInstant(calls[0]?.until ?? ''),
    at_ms: times.length === 0 ? null : Math.min(...times),
    cost: costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0n),
    tokens: calls.map(tokensOf).find((tokens) => tokens !== null) ?? null,
  };
}

function tokensOf({ input, output, cache_read, cache_write }: UpstreamCall): Tokens | null {
  if (input === null || output === null || input + output === 0) return null;
  return [BigInt(input), BigInt(output), BigInt(cache_read ?? 0), BigInt(cache_write ?? 0)];
}
