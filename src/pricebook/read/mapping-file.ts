import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import { schemaRule } from '../adapters/schema-rule.ts';
import { yamlText } from '../adapters/yaml-text.ts';
import { groups, kinds, list, type MappedList, number, path } from './mapping-rules.ts';

const MAPPING_SCHEMA = 'weighbridge.mapping/1';

const WORDS: Readonly<Record<string, string>> = { token: '1', thousand: '1000', million: '1000000' };

const tokens = z
  .string()
  .transform((text) => WORDS[text] ?? text)
  .refine(
    (text) => /^\d{1,15}$/.test(text) && /[1-9]/.test(text),
    'expected token, thousand, million or a number of tokens',
  );

const mappingSchema = z
  .strictObject({
    schema: z.literal(MAPPING_SCHEMA),
    book: z
      .strictObject({ id: path.optional(), version: path.optional(), effective_at: path.optional() })
      .optional(),
    tokens_per: tokens.optional(),
    each: path.optional(),
    calls: list.shape.calls,
    fields: list.shape.fields.optional(),
    variants: list.shape.variants,
    lists: z.array(list).min(1).optional(),
    sizes: z.record(z.string(), z.array(z.string()).min(1)).optional(),
    groups: groups.optional(),
    constants: z
      .strictObject({
        kind: kinds.optional(),
        currency: z.literal('USD').optional(),
        input_includes_cache: z.boolean().optional(),
        rounding: z
          .strictObject({
            quantum: number,
            mode: z.enum(ROUNDING_MODES),
            scope: z.enum(['record', 'component']).optional(),
          })
          .optional(),
        tiers: z
          .strictObject({
            basis: z.enum(['context_len', 'input', 'output']).optional(),
            mode: z.enum(['cliff', 'graduated']).optional(),
            inclusive: z.enum(['gt', 'ge']).optional(),
          })
          .optional(),
      })
      .optional(),
    ignore: z.array(path).optional(),
  })
  .superRefine(({ each, fields, lists, tokens_per }, context) => {
    const refuse = (at: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [at], message });
    if (each !== undefined && lists !== undefined) refuse('lists', 'expected each or lists, found both');
    if ((each === undefined) !== (fields === undefined))
      refuse(each === undefined ? 'each' : 'fields', 'expected each and fields together');
    if (each === undefined && fields === undefined && lists === undefined && tokens_per === undefined)
      refuse('each', 'expected each with fields, lists, or tokens_per alone, found none of them');
  });

/** How a book is read, whichever way its file says it. */
export interface Mapping
  extends Omit<z.infer<typeof mappingSchema>, 'each' | 'fields' | 'variants' | 'lists' | 'calls'> {
  /** Empty: by the names of its fields. */
  readonly lists: readonly MappedList[];
}

/** Reads a mapping file. Throws `mapping_invalid` (exit 2) with file, line, column and rule. */
export function readMapping(text: string, file: string): Mapping {
  const read = yamlText(text);
  if ('unreadable' in read) throw invalid(read.unreadable.map((reason) => `${file}: ${reason}`));
  const parsed = mappingSchema.safeParse(read.value, { reportInput: true });
  if (!parsed.success) {
    throw invalid(
      parsed.error.issues.map(
        (issue) =>
          `${file}: ${read.at(issue.path)}: ${issue.path.join('.') || 'the file'}: ${schemaRule(issue, mappingSchema)}`,
      ),
    );
  }
  const { each, calls, fields, variants, lists, ...rest } = parsed.data;
  const one = each === undefined || fields === undefined ? [] : [{ each, calls, fields, variants }];
  return { ...rest, lists: lists ?? one };
}

function invalid(lines: readonly string[]): WeighbridgeError {
  return new WeighbridgeError({
    code: 'mapping_invalid',
    message: lines.slice(0, 10).join('\n'),
    hint: `Correct the mapping (${MAPPING_SCHEMA}, docs/pricebooks.md). Run weighbridge pricebook preview BOOK --mapping FILE to see what it reads.`,
  });
}
