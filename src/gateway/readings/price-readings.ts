import * as z from 'zod';
import { isOneChange, priceChangeShape } from '../prices/price-change.ts';
import { ROUNDING_RULES } from '../prices/rounding-rule.ts';

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

/** Choices of the price book, and of what a call is charged. */
export const priceReadings = {
  book_layout: z
    .enum(['plain', 'ratio', 'per_token'])
    .default('plain')
    .describe(
      '`plain`: prices per million tokens. `ratio`: ratios to a base, a fraction such as `219/55` where a decimal has no end; images and videos as ratios to `model_price`. `per_token`: prices of one token, image or second, nested by model id. All three carry the same prices.',
    ),
  book_order: z
    .enum(['listed', 'any'])
    .default('listed')
    .describe('`any`: the models of the book stand in another order at each read, under the same version.'),
  book_declares: z
    .boolean()
    .default(true)
    .describe('Whether the book states its rounding and what input tokens include.'),
  book_changes: z
    .array(bookChange)
    .default([])
    .describe(
      'Changes of prices, `after_calls` accepted paid calls or `after_ms` from the start: `factor`, or `models` with new `input`, `output`, `cache_read`, `cache_write` or `tiers` by id.',
    ),
  price_edition: z
    .enum(['acceptance', 'settlement'])
    .default('acceptance')
    .describe(
      'The moment that decides the version of the price book. The call is charged by that version, and its record names it.',
    ),
  image_edits: z
    .enum(['as_images', 'fee'])
    .default('as_images')
    .describe('`fee`: an edit costs 0.005 USD more than its image; the book shows it as `edit_fee`.'),
  video_price: z
    .enum(['per_second', 'per_video'])
    .default('per_second')
    .describe('Whether the price of a resolution is per second or per video.'),
  rounding: z
    .enum(namesOf(ROUNDING_RULES))
    .default('half_up_8')
    .describe(
      'Rule and decimals by which a record is rounded, once; `…_500000th`: multiples of 1/500,000 USD. `each_line_8` rounds each line of a text charge.',
    ),
  least_charge: z.boolean().default(false).describe('Whether a charge above zero is at least one quantum.'),
  price_factor: z
    .string()
    .regex(/^(?=.*[1-9])\d{1,3}(\.\d{1,6})?$/)
    .default('1')
    .describe('Factor on a charge before it is rounded.'),
  factor_by: z
    .enum(['account', 'model', 'hour', 'group'])
    .default('account')
    .describe(
      'Where the factor applies: `account`: to every call; `model`: models whose id begins with a to m; `hour`: calls accepted in an even hour, UTC; `group`: every second key, the first among them.',
    ),
  factor_told: z
    .boolean()
    .default(false)
    .describe(
      'Whether the price book states the factor: of groups in `group_ratio` of the ratio layout, of hours in a field of its own, else in `adjustments`.',
    ),
  cut_stream: z
    .enum(['sent', 'whole', 'nothing', 'estimate'])
    .default('sent')
    .describe('What is charged for a cut stream; `estimate`: a token for 4 characters of what was sent.'),
  cancelled_call: z
    .enum(['free', 'charged'])
    .default('free')
    .describe('Whether a call is charged in full if its client left before anything was sent.'),
  lost_answer: z
    .enum(['none', 'free', 'charged'])
    .default('none')
    .describe('Whether every eighth plain text call is answered with a 500, and is charged all the same.'),
  cut_flagged: z
    .boolean()
    .default(true)
    .describe('Whether the usage of a cut stream is marked as estimated.'),
};
