import * as z from 'zod';
import { isOneChange, priceChangeShape } from '../prices/price-change.ts';
import { ROUNDING_RULES } from '../prices/rounding-rule.ts';

const MAX_PAGE = 10_000;

/** The keys of an object in its own order, for an enum. */
function namesOf<K extends string>(named: Readonly<Record<K, unknown>>): readonly K[] {
  const names: K[] = [];
  for (const name in named) names.push(name);
  return names;
}

const bookChange = z
  .strictObject({
    after_calls: z.int().min(1).optional().describe('Once so many paid calls were accepted.'),
    after_ms: z.int().min(0).max(86_400_000).optional().describe('So many ms after the start.'),
    ...priceChangeShape,
  })
  .refine((given) => (given.after_calls === undefined) !== (given.after_ms === undefined), {
    error: 'must have exactly one of after_calls, after_ms',
  })
  .refine(isOneChange, { error: 'must have exactly one of factor, models' })
  .meta({ description: 'A change of prices that comes by itself.' });

/** Every choice that the interface leaves open, and what the gateway chooses unless told otherwise. */
export const readingsSchema = z
  .strictObject({
    book_layout: z
      .enum(['plain', 'ratio', 'per_token'])
      .default('plain')
      .describe(
        'Layout of the price book: prices per million tokens; ratios to a base; nested prices of one token. All carry the same prices.',
      ),
    book_declares: z
      .boolean()
      .default(true)
      .describe('Whether the book tells its rounding and what input tokens hold.'),
    book_changes: z.array(bookChange).default([]).describe('Versions that the book goes through.'),
    amount: z
      .enum(['net', 'gross'])
      .default('net')
      .describe('Whether amounts of records have the refund taken off or still hold it.'),
    created_at: z
      .enum(['acceptance', 'settlement'])
      .default('acceptance')
      .describe('The moment that a record is dated by; one that is pending has that of its acceptance.'),
    input_tokens: z
      .enum(['with_cache', 'without_cache'])
      .default('with_cache')
      .describe('Whether input tokens of records hold cache tokens.'),
    request_id: z
      .enum(['headers', 'errors_only'])
      .default('headers')
      .describe('Whether successful answers carry the request id; errors always do.'),
    page_default: z.int().min(1).max(MAX_PAGE).default(50).describe('`limit` where a read gives none.'),
    page_max: z.int().min(1).max(MAX_PAGE).default(200).describe('Largest `limit`.'),
    cursor: z
      .enum(['opaque', 'offset', 'record_id'])
      .default('opaque')
      .describe('Bound to window and filters; the number of records left; the id of the last record.'),
    order: z.enum(['newest_first', 'oldest_first']).default('newest_first').describe('Of the records.'),
    extra_fields: z.boolean().default(false).describe('Whether JSON answers carry fields nobody has named.'),
    values: z
      .enum(['named', 'other'])
      .default('named')
      .describe('Whether `result` and `billing_status` beyond completed and settled have other names.'),
    amount_form: z
      .enum(['shortest', 'padded'])
      .default('shortest')
      .describe('padded: amounts keep their trailing zeros.'),
    rounding: z
      .enum(namesOf(ROUNDING_RULES))
      .default('half_up_8')
      .describe('Rule and decimals by which each record is rounded, once.'),
  })
  .refine((given) => given.page_default <= given.page_max, {
    error: 'must not be above page_max',
    path: ['page_default'],
  })
  .describe('How the embedded gateway reads what the interface leaves open.');

export type Readings = Readonly<z.infer<typeof readingsSchema>>;

/** The choices of docs/decisions/0002. */
export const OWN_READINGS: Readings = readingsSchema.parse({});
