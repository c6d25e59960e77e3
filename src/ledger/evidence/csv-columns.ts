import { readFile } from 'node:fs/promises';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { asObject } from '../../wire/json-fields.ts';
import { EVIDENCE_SCHEMA, evidenceCall } from './evidence-call.ts';
import { type EvidencePlace, evidenceCorrupt, issuesOf, parsed } from './evidence-error.ts';
import { type EvidenceImporter, oneCall } from './evidence-importer.ts';
import { countIn, isEmpty } from './foreign-cell.ts';
import { foreignInstant, instantOfCount } from './foreign-time.ts';
import { shownText } from './shown-text.ts';

const TEXTS = [
  'call_id',
  'logical_id',
  'kind',
  'model',
  'outcome',
  'error_type',
  'request_id',
  'response_id',
  'job_id',
  'key_fp',
  'finish',
  'service_tier',
] as const;
const MOMENTS = ['started_at', 'ended_at'] as const;
const COUNTS = ['attempt', 'status', 'max_tokens', 'prompt_bytes', 'out_chars'] as const;
const USAGE = {
  input_tokens: 'input',
  output_tokens: 'output',
  cache_read_tokens: 'cache_read',
  cache_write_tokens: 'cache_write',
  reasoning_tokens: 'reasoning',
} as const;
const UNITS = {
  images: 'images',
  size: 'size',
  quality: 'quality',
  seconds: 'seconds',
  resolution: 'resolution',
} as const;
const NAMES: readonly string[] = [
  ...TEXTS,
  ...MOMENTS,
  ...COUNTS,
  ...Object.keys(USAGE),
  ...Object.keys(UNITS),
];

/** How a moment is written. `text` is RFC 3339, or a day and a time without a zone, which is UTC. */
const FORMS = ['text', 'unix_s', 'unix_ms', 'unix_ns'] as const;

const source = z.union([
  z
    .string()
    .min(1)
    .transform((column) => ({ column, form: 'text' as const, values: null, value: null })),
  z
    .strictObject({ value: z.union([z.string(), z.number()]) })
    .transform(({ value }) => ({ column: null, form: 'text' as const, values: null, value: String(value) })),
  z
    .strictObject({
      column: z.string().min(1),
      form: z.enum(FORMS).default('text'),
      values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    })
    .transform(({ column, form, values }) => ({ column, form, values: values ?? null, value: null })),
]);
type Source = z.infer<typeof source>;

const mapping = z.strictObject({
  columns: z.record(z.string(), source),
});

/** Which column of a CSV file is which member of a row. */
export type ColumnMapping = ReadonlyMap<string, Source>;

/** Reads a mapping file. Throws `evidence_columns` with file, line and rule. */
export async function readColumns(file: string): Promise<ColumnMapping> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw refused(file, 1, 'expected a file that can be read');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined)
    throw refused(file, lines.linePos(error.pos[0]).line, error.message.split('\n')[0] ?? '');
  const result = mapping.safeParse(document.toJS());
  const place = (path: readonly PropertyKey[]): number => {
    const node = document.getIn(path.map(String), true) ?? document.contents;
    const range = isMap(node) || typeof node === 'object' ? asObject(node)?.['range'] : null;
    const offset = Array.isArray(range) && typeof range[0] === 'number' ? range[0] : 0;
    return lines.linePos(offset).line;
  };
  if (!result.success) throw refused(file, place(result.error.issues[0]?.path ?? []), issuesOf(result.error));
  const named = new Map(Object.entries(result.data.columns));
  const unknown = [...named.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw refused(file, place(['columns', unknown]), `${unknown}: expected one of ${NAMES.join(', ')}`);
  const absent = ['call_id', 'kind', 'model', 'started_at', 'outcome'].find((name) => !named.has(name));
  if (absent !== undefined)
    throw refused(file, 1, `${absent}: expected a column, or a value for all rows, found neither`);
  return named;
}

function refused(file: string, line: number, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'evidence_columns',
    message: `${file}:${line}: ${what}`,
    hint: 'Correct the file. docs/evidence.md shows a complete mapping.',
  });
}

/** An importer for CSV files of any layout. */
export function csvByColumns(columns: ColumnMapping): EvidenceImporter {
  return {
    name: 'csv',
    lacks: NAMES.filter((name) => !columns.has(name)),
    not_taken: [],
    recognises: ({ isCsv }) => isCsv,
    read: ({ value }, place) =>
      oneCall(parsed(evidenceCall, rowOf(asObject(value) ?? {}, columns, place), place)),
  };
}

type Cells = Readonly<Record<string, unknown>>;

function rowOf(cells: Cells, columns: ColumnMapping, place: EvidencePlace): unknown {
  const cell = (name: string): string | null => {
    const from = columns.get(name);
    return from === undefined ? null : textOf(name, from, cells, place);
  };
  const count = (name: string): number | null => {
    const text = cell(name);
    const found = countIn(text);
    if (found === undefined)
      throw evidenceCorrupt(place, `${name}: expected a whole count, found ${shownText(text ?? '')}`);
    return found;
  };
  const several = <Names extends object>(names: Names, read: (name: string) => unknown): object | null => {
    const known = Object.entries(names).map(([name, member]) => [member, read(name)] as const);
    return known.every(([, found]) => found === null) ? null : Object.fromEntries(known);
  };
  const unit = (name: string): unknown =>
    name === 'seconds' ? numberOf(cell(name)) : name === 'images' ? count(name) : cell(name);
  return {
    schema: EVIDENCE_SCHEMA,
    ...Object.fromEntries(TEXTS.map((name) => [name, cell(name)])),
    ...Object.fromEntries(
      MOMENTS.map((name) => [name, momentOf(name, columns.get(name), cell(name), place)]),
    ),
    ...Object.fromEntries(COUNTS.map((name) => [name, count(name)])),
    usage: several(USAGE, count),
    units: several(UNITS, unit),
  };
}

function textOf(name: string, from: Source, cells: Cells, place: EvidencePlace): string | null {
  if (from.column === null) return from.value;
  const text = cells[from.column];
  if (text === undefined)
    throw evidenceCorrupt(
      place,
      `${name}: expected a column ${from.column}, as the mapping says, found ${Object.keys(cells).join(', ')}`,
    );
  if (typeof text !== 'string' || isEmpty(text)) return null;
  if (from.values === null) return text;
  const meant = from.values[text];
  if (meant === undefined) {
    const known = Object.keys(from.values).join(', ');
    throw evidenceCorrupt(
      place,
      `${name}: expected one of ${known} in column ${from.column}, found ${shownText(text)}`,
    );
  }
  return String(meant);
}

function momentOf(
  name: string,
  from: Source | undefined,
  text: string | null,
  place: EvidencePlace,
): string | null {
  if (text === null) return null;
  const perSecond = { unix_s: 1n, unix_ms: 1_000n, unix_ns: 1_000_000_000n, text: null }[
    from?.form ?? 'text'
  ];
  const moment = perSecond === null ? foreignInstant(text) : instantOfCount(text, perSecond);
  if (moment === null)
    throw evidenceCorrupt(
      place,
      `${name}: expected a moment (${from?.form ?? 'text'}), found ${shownText(text)}`,
    );
  return moment;
}

/** A text that is no number stays, so that the schema says where it stands. */
function numberOf(text: string | null): number | string | null {
  return text !== null && /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : text;
}
