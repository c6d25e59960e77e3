import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readYaml } from '../../config/read-yaml.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { parseDecimal } from '../../core/decimal.ts';
import { RECORD_COLUMNS } from './record-tables.ts';

const RECORD_MAPPING_SCHEMA = 'weighbridge.records/1';

/** How a moment is written. `text` is RFC 3339, or a day and a time without a zone, which is UTC. */
const MOMENT_FORMS = ['unix_s', 'unix_ms', 'unix_ns', 'text'] as const;

const path = z.string().min(1).max(200);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

const rule = z
  .strictObject({
    from: z
      .union([path, z.array(path).min(2).max(8)])
      .optional()
      .describe('Member of the row; dots lead into objects. Of several the first that is there.'),
    sum: z.array(path).min(2).max(8).optional().describe('Members whose numbers are added.'),
    value: scalar.optional().describe('The same for every row.'),
    times: z
      .string()
      .refine((text) => parseDecimal(text) !== null, { error: 'must be a quoted decimal such as "0.000002"' })
      .optional()
      .describe('Exact factor, quoted, such as "0.000002" where 500,000 units are a dollar.'),
    double: z
      .literal(true)
      .optional()
      .describe(
        'The program reckons it in binary floating point: what a double prints is the decimal that it stands for, of at most 12 places.',
      ),
    form: z.enum(MOMENT_FORMS).optional().describe('How created_at is written. Default: unix_s.'),
    values: z.record(z.string(), scalar).optional().describe('What each text stands for.'),
    else: scalar.optional().describe('Where the row lacks the member, or has null or nothing there.'),
  })
  .superRefine((each, context) => {
    const given = [each.from, each.sum, each.value].filter((source) => source !== undefined).length;
    if (given !== 1) context.addIssue({ code: 'custom', message: 'takes one of from, sum and value' });
  });
export type RecordRule = z.infer<typeof rule>;

const field = z.union([path.transform((from): RecordRule => ({ from })), rule]);

/** `hash`: its fingerprint stands in the folder, and never what the program wrote. */
const group = z.union([
  path.transform((from) => ({ from, hash: false, without: null })),
  z.strictObject({
    from: path,
    hash: z.boolean().default(false),
    without: z.string().min(1).nullable().default(null).describe('Names that begin so are left out.'),
  }),
]);
export type GroupRule = z.infer<typeof group>;

const FIELDS = Object.fromEntries(RECORD_COLUMNS.map((name) => [name, field]));

const kind = z.strictObject({
  take: z
    .record(z.string(), z.array(scalar).min(1))
    .optional()
    .describe('Members of a row that is read so, and the values that they may have. Default: every row.'),
  record: z
    .strictObject({ ...FIELDS, upstream_request_id: field.optional() })
    .describe(
      'Where each field of a usage record comes from; upstream_request_id, which may be left out, names the call of the provider.',
    ),
  groups: z
    .record(z.string().regex(/^[a-z_]{1,40}$/), group)
    .optional()
    .describe('Members by which `--by NAME` sums. They are kept only where they are asked for.'),
});

const mappingSchema = z.strictObject({
  schema: z.literal(RECORD_MAPPING_SCHEMA),
  rows: z
    .array(path)
    .min(1)
    .optional()
    .describe(
      'Where the list of rows may stand in a document; the first that is there. Default: a document is a row, or a list of them.',
    ),
  json_texts: z.array(path).optional().describe('Members that hold JSON as a text.'),
  kinds: z
    .array(kind)
    .min(1)
    .max(16)
    .describe('The first whose `take` fits reads a row; a row that none fits is left out and counted.'),
});

/** How rows of another program become usage records. */
export interface RecordMapping extends z.infer<typeof mappingSchema> {
  /** SHA-256 of its text, in hex: the same file read otherwise is another bill. */
  readonly digest: string;
}

const READY = fileURLToPath(new URL('./record-mappings/', import.meta.url));

/** The mappings that come with the program. */
export const READY_MAPPINGS: readonly string[] = readdirSync(READY)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length))
  .sort();

/** Reads a mapping by its name or file. Throws `mapping_missing` or `config_invalid` with line and column (exit 2). */
export function readRecordMapping(named: string): RecordMapping {
  const file = READY_MAPPINGS.includes(named) ? `${READY}${named}.yaml` : named;
  if (!existsSync(file))
    throw new WeighbridgeError({
      code: 'mapping_missing',
      message: `--records-mapping must be a file or one of ${READY_MAPPINGS.join(', ')}, but it is ${named}.`,
      hint: 'Correct the name or the path. docs/records.md shows a complete mapping.',
    });
  const text = readFileSync(file, 'utf8');
  const digest = createHash('sha256').update(text).digest('hex');
  return { ...readYaml({ text, file: named }, mappingSchema), digest };
}
