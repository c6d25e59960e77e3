import { z } from 'zod';
import {
  memberPath,
  type NamedMapping,
  oneSource,
  RowMappings,
  ruleKeys,
  takeKey,
} from '../../config/row-mapping.ts';
import { RECORD_COLUMNS } from './record-tables.ts';

const RECORD_MAPPING_SCHEMA = 'weighbridge.records/1';

/** How a moment is written. `text` is RFC 3339, or a day and a time without a zone, which is UTC. */
const MOMENT_FORMS = ['unix_s', 'unix_ms', 'unix_ns', 'text'] as const;

const rule = z
  .strictObject({
    ...ruleKeys,
    double: z
      .literal(true)
      .optional()
      .describe(
        'The program reckons it in binary floating point: what a double prints is the decimal that it stands for, of at most 12 places.',
      ),
    form: z.enum(MOMENT_FORMS).optional().describe('How created_at is written. Default: unix_s.'),
  })
  .superRefine(oneSource);
export type RecordRule = z.infer<typeof rule>;

const field = z.union([memberPath.transform((from): RecordRule => ({ from })), rule]);

/** `hash`: its fingerprint stands in the folder, and never what the program wrote. */
const group = z.union([
  memberPath.transform((from) => ({ from, hash: false, without: null })),
  z.strictObject({
    from: memberPath,
    hash: z.boolean().default(false),
    without: z.string().min(1).nullable().default(null).describe('Names that begin so are left out.'),
  }),
]);
export type GroupRule = z.infer<typeof group>;

const FIELDS = Object.fromEntries(RECORD_COLUMNS.map((name) => [name, field]));

const kind = z.strictObject({
  take: takeKey,
  record: z
    .strictObject({ ...FIELDS, upstream_request_id: field.optional(), price_group: field.optional() })
    .describe(
      'Where each field of a usage record comes from; two may be left out: upstream_request_id names the call of the provider, price_group the group by whose prices it is charged.',
    ),
  groups: z
    .record(z.string().regex(/^[a-z_]{1,40}$/), group)
    .optional()
    .describe('Members by which `--by NAME` sums. They are kept only where they are asked for.'),
});

const mappingSchema = z.strictObject({
  schema: z.literal(RECORD_MAPPING_SCHEMA),
  rows: z
    .array(memberPath)
    .min(1)
    .optional()
    .describe(
      'Where the list of rows may stand in a document; the first that is there. Default: a document is a row, or a list of them.',
    ),
  json_texts: z.array(memberPath).optional().describe('Members that hold JSON as a text.'),
  kinds: z
    .array(kind)
    .min(1)
    .max(16)
    .describe('The first whose `take` fits reads a row; a row that none fits is left out and counted.'),
});

/** How rows of another program become usage records. */
export type RecordMapping = NamedMapping<z.infer<typeof mappingSchema>>;

export const RECORD_MAPPINGS = new RowMappings(
  new URL('./record-mappings/', import.meta.url),
  mappingSchema,
  { flag: '--records-mapping', page: 'docs/records.md' },
);
