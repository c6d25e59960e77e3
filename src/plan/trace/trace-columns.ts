import type { TimeForm } from './trace-moment.ts';

/** What a line of a trace may say. */
export type TraceField =
  | TimeForm
  | 'kind'
  | 'model'
  | 'prompt_bytes'
  | 'prompt_tokens'
  | 'max_tokens'
  | 'stream';

/** The column or key of a trace that holds a field, where it is not named as we do. */
export type TraceColumns = Readonly<Partial<Record<TraceField, string>>>;

/** Names in use, in lower case: our own, those of a run's `trace.ndjson`, and those of published traces of model services. */
const KNOWN_NAMES: Readonly<Record<TraceField, readonly string[]>> = {
  at_us: ['at_us'],
  at_ms: ['at_ms'],
  at_s: ['at_s'],
  timestamp: ['timestamp'],
  kind: ['kind'],
  model: ['model'],
  prompt_bytes: ['prompt_bytes'],
  prompt_tokens: ['prompt_tokens', 'input_length', 'contexttokens'],
  max_tokens: ['max_tokens', 'output_length', 'generatedtokens'],
  stream: ['stream'],
};

const FIELDS = [
  'at_us',
  'at_ms',
  'at_s',
  'timestamp',
  'kind',
  'model',
  'prompt_bytes',
  'prompt_tokens',
  'max_tokens',
  'stream',
] as const;
const TIMES = ['at_us', 'at_ms', 'at_s', 'timestamp'] as const;

/** Which name holds which field. */
export interface ColumnMap {
  readonly time: { readonly form: TimeForm; readonly name: string };
  readonly names: ReadonlyMap<TraceField, string>;
}

/**
 * Finds the fields among the names of a header, or, not `tabular`, among the keys that lines had so far; a text says what is
 * wrong with them.
 */
export function mapColumns(
  found: readonly string[],
  columns: TraceColumns,
  tabular: boolean,
): ColumnMap | string {
  const names = new Map<TraceField, string>();
  for (const field of FIELDS) {
    const wanted = columns[field];
    const matches = found.filter((name) =>
      wanted === undefined ? KNOWN_NAMES[field].includes(name.trim().toLowerCase()) : name === wanted,
    );
    if (matches.length > 1) {
      const where = tabular ? 'one column' : 'the same key in all lines';
      return `must have ${where} for ${field}, not ${matches.join(' and ')}`;
    }
    if (tabular && wanted !== undefined && matches.length === 0)
      return `must have the column ${wanted} for ${field}`;
    if (matches[0] !== undefined) names.set(field, matches[0]);
  }
  const [bytes, tokens] = [names.get('prompt_bytes'), names.get('prompt_tokens')];
  if (bytes !== undefined && tokens !== undefined)
    return `must have one column for the size of prompts, not ${bytes} and ${tokens}`;
  const times = TIMES.filter((form) => names.has(form));
  const [form] = times;
  if (times.length > 1) return `must have one column for the time, not ${times.join(' and ')}`;
  const name = form === undefined ? undefined : names.get(form);
  if (form === undefined || name === undefined)
    return 'must have a column at_us, at_ms, at_s or timestamp, or one that trace.columns names for one of them';
  return { time: { form, name }, names };
}
