import { z } from 'zod';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import { priceText } from '../adapters/price-text.ts';
import { yamlText } from '../adapters/yaml-text.ts';
import { type PathStep, parsePath } from './mapping-path.ts';

const MAPPING_SCHEMA = 'weighbridge.mapping/1';

const path = z
  .string()
  .transform((text, context): { readonly text: string; readonly steps: readonly PathStep[] } => {
    const steps = parsePath(text);
    if (steps !== null) return { text, steps };
    context.addIssue({ code: 'custom', message: 'expected a path such as a.b, a[*].c or prices.*' });
    return z.NEVER;
  });

const number = z
  .string()
  .refine((text) => priceText(text) !== null && Number(text) > 0, 'expected a decimal number above 0');

/** Where a price stands, and what it is for: `per` units, times `factor`, or a ratio of the price of `base`. */
const price = z.strictObject({
  path,
  per: number.optional(),
  factor: number.optional(),
  base: z.enum(['input', 'output']).optional(),
});
export type MappedPrice = z.infer<typeof price>;

export const MAPPED_METERS = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'reasoning',
  'request',
  'image',
  'video_second',
] as const;

const kinds = z.enum(['text', 'image', 'video']);

const mappingSchema = z.strictObject({
  schema: z.literal(MAPPING_SCHEMA),
  book: z.strictObject({ id: path, version: path, effective_at: path.optional() }).optional(),
  each: path,
  fields: z.strictObject({
    model: z.union([z.literal('$key').transform(() => null), path]),
    kind: z.strictObject({ path, values: z.record(z.string(), kinds) }).optional(),
    input: price.optional(),
    output: price.optional(),
    cache_read: price.optional(),
    cache_write: price.optional(),
    reasoning: price.optional(),
    request: price.optional(),
    image: price.optional(),
    video_second: price.optional(),
    max_output_tokens: path.optional(),
  }),
  variants: z
    .strictObject({
      each: path,
      meter: z.enum(['image', 'video_second']),
      price,
      size: path.optional(),
      quality: path.optional(),
      resolution: path.optional(),
    })
    .optional(),
  constants: z
    .strictObject({
      kind: kinds.optional(),
      currency: z.literal('USD').optional(),
      input_includes_cache: z.boolean().optional(),
      rounding: z.strictObject({ quantum: number, mode: z.enum(ROUNDING_MODES) }).optional(),
    })
    .optional(),
  ignore: z.array(path).optional(),
});
export type Mapping = z.infer<typeof mappingSchema>;

/** Reads a mapping file. Throws `mapping_invalid` (exit 2) with file, line, column and rule. */
export function readMapping(text: string, file: string): Mapping {
  const read = yamlText(text);
  if ('unreadable' in read) throw invalid(read.unreadable.map((reason) => `${file}: ${reason}`));
  const parsed = mappingSchema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.map(
      (issue) => `${file}: ${read.at(issue.path)}: ${issue.path.join('.') || 'the file'}: ${ruleOf(issue)}`,
    ),
  );
}

const { fields, book, variants, constants } = mappingSchema.shape;
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(mappingSchema.shape),
  book: Object.keys(book.unwrap().shape),
  fields: Object.keys(fields.shape),
  variants: Object.keys(variants.unwrap().shape),
  constants: Object.keys(constants.unwrap().shape),
};

/** Names an unknown key with those that may stand there. */
function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const allowed = KEYS[issue.path.join('.')] ?? Object.keys(price.shape);
  return `expected one of ${allowed.join(', ')}, found ${issue.keys.join(', ')}`;
}

function invalid(lines: readonly string[]): WeighbridgeError {
  return new WeighbridgeError({
    code: 'mapping_invalid',
    message: lines.slice(0, 10).join('\n'),
    hint: `write the mapping as docs/pricebooks.md says (${MAPPING_SCHEMA})`,
    exitCode: EXIT.usage,
  });
}
