import type { BillingSettings } from './billing-settings.ts';
import type { PaidCall } from './paid-call.ts';
import type { ServedRecord } from './served-record.ts';

export interface TokenDifference {
  readonly field: 'input' | 'output' | 'cache_read' | 'cache_write';
  readonly client: bigint;
  readonly recorded: bigint;
}

/** Where the record's token counts differ from those the client was told; figures either side lacks are left out. */
export function tokenDifferences(
  settings: BillingSettings,
  call: PaidCall,
  record: ServedRecord,
): readonly TokenDifference[] {
  const usage = call.row?.usage ?? null;
  if (!call.text || usage === null || call.outcome !== 'ok') return [];
  const cached = BigInt((usage.cache_read ?? 0) + (usage.cache_write ?? 0));
  const input = usage.input === null ? null : BigInt(usage.input);
  const beside = input !== null && settings.input_includes_cache === 'no' ? input - cached : input;
  const pairs = [
    ['input', beside, record.input],
    ['output', toBigInt(usage.output), record.output],
    ['cache_read', toBigInt(usage.cache_read), record.cache_read],
    ['cache_write', toBigInt(usage.cache_write), record.cache_write],
  ] as const;
  return pairs.flatMap(([field, client, recorded]) =>
    client !== null && recorded !== null && client !== recorded ? [{ field, client, recorded }] : [],
  );
}

function toBigInt(count: number | null): bigint | null {
  return count === null ? null : BigInt(count);
}
