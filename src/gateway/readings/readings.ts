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

/** What of these readings excludes another: the money would be told twice, or nowhere. */
function exclusions({
  amount,
  unused_reserve,
  failed_call,
  call_records,
  totals_settled,
}: Readonly<
  Record<'amount' | 'unused_reserve' | 'failed_call' | 'call_records' | 'totals_settled', string>
>) {
  const found: [string, string][] = [];
  if (amount === 'gross') {
    if (unused_reserve !== 'refunded')
      found.push(['unused_reserve', 'must be refunded where amount is gross']);
    if (failed_call !== 'refunded') found.push(['failed_call', 'must be refunded where amount is gross']);
    if (call_records === 'reserve_and_settlement')
      found.push(['call_records', 'cannot be this where amount is gross']);
  }
  if (totals_settled === 'gross' && (amount === 'gross' || failed_call === 'gross'))
    found.push(['totals_settled', 'cannot be gross where records are']);
  if (call_records === 'reserve_and_settlement' && unused_reserve !== 'refunded')
    found.push(['unused_reserve', 'must be left out where two records tell it']);
  return found;
}

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
    unused_reserve: z
      .enum(['refunded', 'released', 'rewritten', 'zeroed'])
      .default('refunded')
      .describe(
        'What a settled record tells of the reserve it did not use: refunded; nothing; a reserve of the amount; no reserve.',
      ),
    failed_call: z
      .enum(['refunded', 'gross', 'zero', 'negative_record', 'refund_record', 'no_record'])
      .default('refunded')
      .describe('How a call that is not charged is kept: one record, two, or none.'),
    call_records: z
      .enum(['one', 'reserve_and_settlement', 'inner_retries'])
      .default('one')
      .describe('Records of one paid call; inner_retries: some have a free one beside.'),
    record_model: z
      .enum(['as_asked', 'dated', 'prefixed', 'upper_case'])
      .default('as_asked')
      .describe('The name of the model in records and totals.'),
    totals_settled: z
      .enum(['settled', 'final', 'gross'])
      .default('settled')
      .describe('What settled_amount sums: settled records; all that ended; those with their refunds.'),
    totals_pending: z
      .enum(['reserved', 'amount'])
      .default('reserved')
      .describe('The figure of pending records that totals sum.'),
    totals_refunded: z
      .enum(['all', 'failed'])
      .default('all')
      .describe('Whether refunded_amount holds unused reserves too.'),
    totals_records: z
      .enum(['with_unknown', 'without_unknown'])
      .default('with_unknown')
      .describe('Whether the count of records holds the unknown ones.'),
    last_cursor: z
      .enum(['empty', 'null', 'absent'])
      .default('empty')
      .describe('next_cursor of the last page.'),
    last_page: z
      .enum(['with_records', 'may_be_empty'])
      .default('with_records')
      .describe('may_be_empty: a full page always names a next one.'),
    repeated_record: z
      .enum(['none', 'on_page', 'on_next_page'])
      .default('none')
      .describe('Where the same record is shown twice.'),
    output_tokens: z
      .enum(['with_reasoning', 'without_reasoning'])
      .default('with_reasoning')
      .describe('Whether output tokens of records hold reasoning.'),
    cut_stream: z
      .enum(['sent', 'whole', 'nothing'])
      .default('sent')
      .describe('What of a cut stream is charged.'),
    cut_flagged: z.boolean().default(true).describe('Whether the usage of a cut stream is called estimated.'),
    least_charge: z.boolean().default(false).describe('Whether a charge is one quantum at least.'),
    price_factor: z
      .string()
      .regex(/^(?=.*[1-9])\d{1,3}(\.\d{1,6})?$/)
      .default('1')
      .describe('What every charge is multiplied by before it is rounded.'),
    factor_told: z.boolean().default(false).describe('Whether the price book tells the factor.'),
    missing: z
      .enum(['nothing', 'usage', 'pricebook', 'account'])
      .default('nothing')
      .describe('The family of reads that is 404.'),
    model_list: z
      .enum(['object', 'no_object', 'bare_array'])
      .default('object')
      .describe('The form of the list of models.'),
    input_tokens: z
      .enum(['with_cache', 'without_cache', 'without_writes'])
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
      .enum(['named', 'other', 'voided', 'waived', 'never_settled'])
      .default('named')
      .describe('Whether `result` and `billing_status` beyond completed and settled have other names.'),
    amount_form: z
      .enum(['shortest', 'padded', 'long', 'exponent', 'number'])
      .default('shortest')
      .describe('padded, long: amounts keep trailing zeros; an exponent; a JSON number in records.'),
    rounding: z
      .enum(namesOf(ROUNDING_RULES))
      .default('half_up_8')
      .describe('Rule and decimals by which each record is rounded, once.'),
  })
  .refine((given) => given.page_default <= given.page_max, {
    error: 'must not be above page_max',
    path: ['page_default'],
  })
  .superRefine((given, context) => {
    for (const [path, message] of exclusions(given))
      context.addIssue({ code: 'custom', path: [path], message });
  })
  .describe('How the embedded gateway reads what the interface leaves open.');

export type Readings = Readonly<z.infer<typeof readingsSchema>>;

/** The choices of docs/decisions/0002. */
export const OWN_READINGS: Readings = readingsSchema.parse({});
