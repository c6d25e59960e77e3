import type { ChainResult } from '../contracts/chain-result.ts';
import { UPSTREAM_SCHEMA, type UpstreamCall, type UpstreamHeader } from '../contracts/upstream-call.ts';
import { parseAmount } from '../core/amount.ts';
import { formatInstant } from '../core/time.ts';
import { START_MS } from '../reconcile/rows.test-support.ts';
import { chain } from './chain.ts';
import type { Sale } from './sale.ts';
import type { Span } from './span.ts';

/** A call that was sold for $0.0028 under the provider's id `up-<name>`, which its answer told. */
export function saleOf(name: string, changes: Partial<Sale> = {}): Sale {
  return {
    call_id: `call-${name}`,
    request_id: `req-${name}`,
    markers: [],
    ids: [`req-${name}`, `up-${name}`],
    model: 'text-1',
    from_ms: START_MS,
    to_ms: START_MS + 1000,
    tokens: [1000n, 100n, 0n, 0n],
    state: 'recorded',
    charged: parseAmount('0.0028'),
    surplus: [],
    ...changes,
  };
}

/** The call that was bought for it, for $0.002. */
export function boughtFor(name: string, changes: Partial<UpstreamCall> = {}): UpstreamCall {
  return {
    schema: UPSTREAM_SCHEMA,
    type: 'call',
    ids: [`up-${name}`],
    marker: null,
    model: 'text-1',
    at: formatInstant(START_MS),
    cost: '0.002',
    input: 1000,
    output: 100,
    cache_read: 0,
    cache_write: 0,
    ...changes,
  };
}

export function chained(
  sales: readonly Sale[],
  calls: readonly UpstreamCall[],
  changes: Partial<UpstreamHeader> = {},
  period: Span | null = null,
): ChainResult {
  const header: UpstreamHeader = {
    schema: UPSTREAM_SCHEMA,
    type: 'header',
    kind: 'records',
    mapping: null,
    whole: false,
    models: [],
    ...changes,
  };
  return chain(sales, { header, calls }, { gates: () => true, period });
}

/** `class amount day model`. */
export function foundIn({ findings }: ChainResult): readonly string[] {
  return findings.map(({ class: name, amount, model }) => `${name} ${amount} ${model}`);
}

/** A list of names, such as for a hundred calls that are right. */
export function named(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `n${index}`);
}
