import * as z from 'zod';
import { FAULT_CLASSES } from '../contracts/fault-class.ts';
import { BOOK_READERS } from '../contracts/price-book.ts';
import { PAID_KINDS } from '../core/call-kind.ts';
import { compareDecimal, parseDecimal, ZERO } from '../core/decimal.ts';
import { ROUNDING_MODES } from '../core/rounding.ts';
import { parseInstant } from '../core/time.ts';
import { duration } from './duration.ts';
import { optional, refuse } from './key-schemas.ts';
import { modelId } from './model-id.ts';
import { moneyText } from './money-text.ts';
import { overlappingAgreements } from './overlapping-agreements.ts';
import { policyKeys, readingKeys } from './reading-keys.ts';

/** Adapters that a book may be read by; `auto` finds the one that knows its layout. */
export const BOOK_ADAPTERS = ['auto', ...BOOK_READERS] as const;

const PRICE_RULE =
  'must be quoted decimal text such as "4.50" with at most 24 decimals (quote it: a bare number is a float)';
const MOST_DECIMALS = 24;

/** Zero or more, without exponent. */
const priceText = z.string({ error: PRICE_RULE }).refine(
  (text) => {
    const value = parseDecimal(text);
    return value !== null && compareDecimal(value, ZERO) >= 0 && value.scale <= MOST_DECIMALS;
  },
  { error: PRICE_RULE },
);

const MOMENT_RULE = 'must be a day or a moment in UTC such as "2026-10-01" or "2026-10-01T06:00:00Z"';

export const utcMoment = z
  .string({ error: MOMENT_RULE })
  .refine(
    (text) =>
      /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(text) && parseInstant(text) !== null,
    {
      error: MOMENT_RULE,
    },
  );

const modelPattern = modelId.refine((text) => !text.slice(0, -1).includes('*'), {
  error: 'must be a model id, or the beginning of ids with one * at its end',
});

const quantum = moneyText.refine((text) => Number(text) > 0, { error: 'must be more than 0' });

const agreed = z
  .strictObject({
    name: z.string().min(1).max(80).describe('Name in reports and price lines.'),
    models: z
      .array(modelPattern)
      .min(1)
      .describe('Model ids. One that ends with `*` covers every id that begins so.'),
    endpoints: optional(z.array(z.enum(PAID_KINDS)).min(1), 'Kinds of calls. Default: all.'),
    from: optional(utcMoment, 'First moment at which it applies, UTC. Default: always.'),
    until: optional(utcMoment, 'End: the first moment at which it no longer applies, UTC.'),
    factor: optional(priceText, 'Factor on the book\'s price, quoted: "0.8" takes off a fifth.'),
    prices: z
      .strictObject({
        input: optional(priceText, 'USD for 1,000,000 input tokens, quoted.'),
        output: optional(priceText, 'USD for 1,000,000 output tokens.'),
        cache_read: optional(priceText, 'USD for 1,000,000 tokens read from the cache.'),
        cache_write: optional(priceText, 'USD for 1,000,000 tokens written to the cache.'),
        image: optional(priceText, 'USD for an image, whatever its size and quality.'),
        video_second: optional(priceText, 'USD for a second, whatever its resolution.'),
        request: optional(priceText, 'USD for a call, in addition to what it uses.'),
      })
      .refine((prices) => Object.keys(prices).length > 0, { error: 'must hold at least one price' })
      .optional(),
    rounding: z
      .strictObject({
        quantum: quantum.describe('USD: charges are multiples of it.'),
        mode: z.enum(ROUNDING_MODES).describe('How it is rounded.'),
        scope: optional(
          z.enum(['record', 'component']),
          'What is rounded: the sum of a record, or each part of it, such as its input tokens. Default: either may be.',
        ),
      })
      .optional(),
    minimum: z
      .strictObject({
        amount: quantum.describe('USD: least charge of a call.'),
        applies: optional(
          z.enum(['nonzero_price', 'always']),
          'To models with a price above 0, or to all. Default: nonzero_price.',
        ),
        zero_tokens: optional(
          z.enum(['zero', 'minimum']),
          'What a call without any units costs. Default: zero.',
        ),
      })
      .optional(),
  })
  .superRefine((entry, context) => {
    const parts = [entry.factor, entry.prices, entry.rounding, entry.minimum];
    if (parts.every((part) => part === undefined)) {
      context.addIssue({
        code: 'custom',
        message: 'must agree on something: factor, prices, rounding or minimum',
      });
    }
    const { from, until } = entry;
    if (from === undefined || until === undefined) return;
    if ((parseInstant(until) ?? 0) <= (parseInstant(from) ?? 0)) {
      refuse(context, ['until'], 'must be later than from');
    }
  });
export type AgreedEntry = z.infer<typeof agreed>;

/** The `billing:` block: what was agreed beyond the published book, and how points where it is silent are read. */
export const billing = z.strictObject({
  book: z
    .strictObject({
      adapter: optional(
        z.enum(BOOK_ADAPTERS),
        'Reader of the price book; auto finds the one that knows its layout.',
      ),
      file: optional(
        z.string().min(1),
        "Your own price book instead of the target's: JSON, YAML or CSV. The path is relative to this file.",
      ),
      mapping: optional(
        z.string().min(1),
        'Mapping file for a layout that no adapter knows (pricebooks.md); path relative to this file.',
      ),
    })
    .superRefine(({ adapter, mapping }, context) => {
      if (adapter === 'mapping' && mapping === undefined) {
        refuse(context, ['mapping'], 'must be given for the adapter mapping');
      }
      if (mapping !== undefined && adapter !== undefined && adapter !== 'mapping' && adapter !== 'auto') {
        refuse(context, ['mapping'], `does not go with the adapter ${adapter}`);
      }
    })
    .optional(),
  group: optional(
    z.string().min(1).max(80),
    'Group of the book whose factor applies to you. Default: found from many charges.',
  ),
  agreed: z
    .array(agreed)
    .max(200)
    .superRefine((entries, context) => {
      for (const { index, name, what, first } of overlappingAgreements(entries)) {
        refuse(
          context,
          [index],
          `${JSON.stringify(name)} sets ${what}, as ${JSON.stringify(first)} does, for a model, kind of call and time that both have`,
        );
      }
    })
    .optional(),
  readings: z.strictObject(readingKeys).optional(),
  policy: z.strictObject(policyKeys).optional(),
  deadlines: z
    .strictObject({
      text: optional(duration, 'Until the record of a text call must be settled.'),
      task: optional(duration, 'The same for jobs and videos.'),
      refund: optional(duration, 'Until the charge of a failed task must be refunded.'),
      class: optional(
        z.partialRecord(z.enum(FAULT_CLASSES), duration),
        'Classes of findings with their own deadline, such as `unrecorded_request: 1h`.',
      ),
    })
    .optional(),
  cache: z
    .strictObject({
      lifetime: optional(duration, 'How long the prompt cache keeps a prompt after its last use.'),
      least_tokens: optional(
        z.int().min(1),
        'Tokens of the shortest beginning of a prompt that the cache keeps.',
      ),
      block_tokens: optional(
        z.int().min(1),
        'The cache keeps beginnings in whole blocks of this many tokens.',
      ),
      promised: optional(
        z.boolean(),
        'Cache hits were promised. A hit that is owed and missing is a finding.',
      ),
    })
    .superRefine(({ lifetime, least_tokens, promised }, context) => {
      if (promised !== true) return;
      if (lifetime === undefined) refuse(context, ['lifetime'], 'must be given where hits are promised');
      if (least_tokens === undefined)
        refuse(context, ['least_tokens'], 'must be given where hits are promised');
    })
    .optional(),
});
export type BillingFile = z.infer<typeof billing>;
