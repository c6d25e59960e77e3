import { z } from 'zod';
import { formatTrimmed } from '../../core/decimal.ts';
import { asInteger, parseObject } from '../../wire/json-fields.ts';

/** Types of rows that are money. Errors (5) are free, top-ups (1) buy nothing. */
export const CHARGE_TYPE = 2;
export const REFUND_TYPE = 6;

/** Amounts have 12 decimals. */
export const PICO_PER_DOLLAR = 10n ** 12n;

/** A row of the log, as far as it is read. */
export const familyRow = z.looseObject({
  type: z.int(),
  created_at: z.int(),
  model_name: z.string().default(''),
  quota: z.int(),
  prompt_tokens: z.int().default(0),
  completion_tokens: z.int().default(0),
  request_id: z.string().default(''),
  group: z.string().default(''),
  token_name: z.string().default(''),
  token_id: z.int().default(0),
  other: z.string().default(''),
});
export type FamilyRow = z.infer<typeof familyRow>;

function amountOf(units: number, unit: bigint): string {
  return formatTrimmed({ digits: BigInt(units) * (PICO_PER_DOLLAR / unit), scale: 12 });
}

/** A row's `id` is its place in the answer. So its request or task names it, and an equal name has a number after it. */
export function asRecords(rows: readonly FamilyRow[], unit: bigint): readonly unknown[] {
  const named = new Map<string, number>();
  return rows.map((row) => {
    const record = row.type === REFUND_TYPE ? refundOf(row, unit) : chargeOf(row, unit);
    const before = named.get(record.id) ?? 0;
    named.set(record.id, before + 1);
    return before === 0 ? record : { ...record, id: `${record.id}-${before + 1}` };
  });
}

function chargeOf(row: FamilyRow, unit: bigint) {
  const terms = parseObject(row.other) ?? {};
  const cached = asInteger(terms['cache_tokens']) ?? 0;
  const written = asInteger(terms['cache_write_tokens']) ?? asInteger(terms['cache_creation_tokens']) ?? 0;
  // Channels of Anthropic count cached and written tokens beside the input.
  const beside = terms['usage_semantic'] === 'anthropic' ? cached + written : 0;
  const amount = amountOf(row.quota, unit);
  return {
    ...common(row),
    id: row.request_id,
    request_id: row.request_id,
    result: 'completed',
    amount,
    // What was held stands nowhere; nothing of it was given back by this row.
    reserved_amount: amount,
    input_tokens: row.prompt_tokens + beside,
    output_tokens: row.completion_tokens,
    cache_read_tokens: cached,
    cache_write_tokens: written,
  };
}

/** Takes back what its task was charged. Only who made the task knows of which request it was. */
function refundOf(row: FamilyRow, unit: bigint) {
  const task: unknown = parseObject(row.other)?.['task_id'];
  const id = typeof task === 'string' ? task : '';
  const none = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
  return {
    ...common(row),
    id: `refund-${id === '' ? row.created_at : id}`,
    request_id: id,
    result: 'failed',
    amount: amountOf(-row.quota, unit),
    reserved_amount: '0',
    ...none,
  };
}

function common(row: FamilyRow) {
  return {
    usage_estimated: false,
    created_at: row.created_at,
    model: row.model_name,
    billing_status: 'settled',
    refunded_amount: '0',
    pricebook_id: 'new-api',
    pricing_version: 'not told',
    ...(row.group === '' ? {} : { price_group: row.group }),
  };
}
