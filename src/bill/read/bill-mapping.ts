import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readYaml } from '../../config/read-yaml.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { parseDecimal } from '../../core/decimal.ts';

const BILL_MAPPING_SCHEMA = 'weighbridge.bill/1';

/** How a moment is written. `text` is RFC 3339, or a day and a time whose zone is that of the mapping. */
const BILL_MOMENT_FORMS = ['day', 'text', 'unix_s'] as const;

const path = z.string().min(1).max(200);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const rule = z
  .strictObject({
    from: z
      .union([path, z.array(path).min(1).max(4)])
      .optional()
      .describe(
        'Member of the row, or several of which the first that is there counts; dots lead into objects.',
      ),
    sum: z.array(path).min(2).max(8).optional().describe('Members whose numbers are added.'),
    value: scalar.optional().describe('The same for every row.'),
    times: z
      .string()
      .refine((text) => parseDecimal(text) !== null, { error: 'must be a quoted decimal such as "0.01"' })
      .optional()
      .describe('Exact factor, quoted, such as "0.01" where amounts are cents.'),
    form: z.enum(BILL_MOMENT_FORMS).optional().describe('How a moment is written. Default: day.'),
    before: z.string().min(1).optional().describe('Only what stands before this text counts.'),
    values: z.record(z.string(), scalar).optional().describe('What each text stands for.'),
    else: scalar.optional().describe('Where the row lacks the member, or has null or nothing there.'),
  })
  .superRefine((each, context) => {
    const given = [each.from, each.sum, each.value].filter((source) => source !== undefined).length;
    if (given !== 1) context.addIssue({ code: 'custom', message: 'takes one of from, sum and value' });
  });
export type BillRule = z.infer<typeof rule>;

const field = z.union([path.transform((from): BillRule => ({ from })), rule]);

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

const kind = z.strictObject({
  take: z
    .record(z.string(), z.array(scalar).min(1))
    .optional()
    .describe('Members of a row that is read so, and the values that they may have. Default: every row.'),
  bucket,
});

const mappingSchema = z.strictObject({
  schema: z.literal(BILL_MAPPING_SCHEMA),
  told_by: z
    .array(z.array(path).min(1))
    .min(1)
    .optional()
    .describe('Members that the rows of such a bill have, all of one list: by them a file is known.'),
  rows: z.array(path).min(1).optional().describe('Where the list of rows may stand in a document.'),
  inner: path.optional().describe('Member of each row that holds a list: what counts are its items.'),
  key: z
    .array(path)
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
export interface BillMapping extends z.infer<typeof mappingSchema> {
  /** Name of a ready one, or the file. */
  readonly name: string;
  /** SHA-256 of its text, in hex. */
  readonly digest: string;
}

const READY = fileURLToPath(new URL('./bill-mappings/', import.meta.url));

/** The mappings that come with the program. */
export const READY_BILLS: readonly string[] = readdirSync(READY)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length))
  .sort();

/** Reads a mapping by its name or file. Throws `mapping_missing` or `config_invalid` with line and column (exit 2). */
export function readBillMapping(named: string): BillMapping {
  const file = READY_BILLS.includes(named) ? `${READY}${named}.yaml` : named;
  if (!existsSync(file))
    throw new WeighbridgeError({
      code: 'mapping_missing',
      message: `--bill-mapping: expected a file, or one of ${READY_BILLS.join(', ')}, found ${named}`,
      hint: 'docs/bills.md shows a mapping whole',
    });
  const text = readFileSync(file, 'utf8');
  const digest = createHash('sha256').update(text).digest('hex');
  return { ...readYaml({ text, file: named }, mappingSchema), name: named, digest };
}
