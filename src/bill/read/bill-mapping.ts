import { z } from 'zod';
import {
  memberPath,
  type NamedMapping,
  oneSource,
  RowMappings,
  ruleKeys,
  takeKey,
} from '../../config/row-mapping.ts';
import { parseDecimal } from '../../core/decimal.ts';

const BILL_MAPPING_SCHEMA = 'weighbridge.bill/1';

/** How a moment is written. `text` is RFC 3339, or a day and a time whose zone is that of the mapping. */
const BILL_MOMENT_FORMS = ['day', 'text', 'unix_s'] as const;

const rule = z
  .strictObject({
    ...ruleKeys,
    form: z.enum(BILL_MOMENT_FORMS).optional().describe('How a moment is written. Default: day.'),
    before: z.string().min(1).optional().describe('Only what stands before this text counts.'),
  })
  .superRefine(oneSource);
export type BillRule = z.infer<typeof rule>;

const field = z.union([memberPath.transform((from): BillRule => ({ from })), rule]);

const bucket = z
  .strictObject({
    start: field.describe('First moment of the bucket.'),
    end: field.optional().describe('Its end, not inside. Default: `width` after the start.'),
    model: field.optional().describe('Without it the amounts of this kind are of no model.'),
    amount: field.optional(),
    currency: field.optional().describe('Default: USD.'),
    tokens: field.optional().describe('All tokens, in and out; weighed where there is no amount.'),
    requests: field.optional().describe('Shown, never weighed.'),
    item: field.optional().describe('What an amount of no model is for.'),
  })
  .refine(({ amount, tokens }) => amount !== undefined || tokens !== undefined, {
    error: 'takes an amount, or tokens where the bill tells no money',
  });

const kind = z.strictObject({ take: takeKey, bucket });

const mappingSchema = z.strictObject({
  schema: z.literal(BILL_MAPPING_SCHEMA),
  told_by: z
    .array(z.array(memberPath).min(1))
    .min(1)
    .optional()
    .describe('Members that the rows of such a bill have, all of one list: by them a file is known.'),
  rows: z.array(memberPath).min(1).optional().describe('Where the list of rows may stand in a document.'),
  inner: memberPath.optional().describe('Member of each row that holds a list: what counts are its items.'),
  key: z
    .array(memberPath)
    .min(1)
    .optional()
    .describe('Members that no two rows share. Default: all of them. Two such rows are one, given twice.'),
  zone: z.string().min(1).optional().describe('Zone of its days, where the bill or its maker tells it.'),
  width: z.enum(['day', 'hour']).default('day'),
  quantum: z
    .string()
    .refine((text) => (parseDecimal(text)?.digits ?? 0n) > 0n, { error: 'must be a quoted decimal above 0' })
    .optional()
    .describe('To what each amount is rounded. Default: its last digit.'),
  models: z
    .enum(['named', 'items'])
    .default('named')
    .describe('items: a name that none of the calls has is a line item, and no model.'),
  kinds: z.array(kind).min(1).max(16).describe('The first whose `take` fits reads a row.'),
});

/** How the rows of a bill become buckets. */
export type BillMapping = NamedMapping<z.infer<typeof mappingSchema>>;

export const BILL_MAPPINGS = new RowMappings(new URL('./bill-mappings/', import.meta.url), mappingSchema, {
  flag: '--bill-mapping',
  page: 'docs/bills.md',
});
