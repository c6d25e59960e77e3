import type { CallRow } from '../../contracts/ledger-lines.ts';
import { asObject } from '../../wire/json-fields.ts';
import { EVIDENCE_SCHEMA, evidenceCall } from './evidence-call.ts';
import { parsed } from './evidence-error.ts';
import { type EvidenceImporter, oneCall, type PlacedCall } from './evidence-importer.ts';

/**
 * Frameworks put a span of their own around that of the client library: both tell the same answer, and one
 * call. Of spans of one
 * trace with one response id only the innermost, which started last, is kept.
 */
export function withoutOuterSpans(
  calls: readonly PlacedCall[],
  leave: (reason: string) => void,
): readonly PlacedCall[] {
  const innermost = new Map<string, PlacedCall>();
  for (const placed of calls) {
    const key = answerOf(placed);
    const other = key === null ? undefined : innermost.get(key);
    if (key !== null && (other === undefined || isInside(placed, other))) innermost.set(key, placed);
  }
  return calls.filter((placed) => {
    const key = answerOf(placed);
    const kept = key === null || innermost.get(key) === placed;
    if (!kept) leave('spans around another span of the same answer');
    return kept;
  });
}

/** Started later, or at the same moment and ended earlier. */
function isInside({ call }: PlacedCall, { call: other }: PlacedCall): boolean {
  if (call.started_at !== other.started_at) return call.started_at > other.started_at;
  return (call.ended_at ?? '') < (other.ended_at ?? '');
}

function answerOf({ call }: PlacedCall): string | null {
  if (call.response_id == null) return null;
  return `${call.call_id.split('/')[0]} ${call.response_id}`;
}

/** `weighbridge.evidence/1`: one call a line. */
export const OWN_FORM: EvidenceImporter = {
  name: 'evidence',
  lacks: [],
  not_taken: [],
  recognises: (item) => !item.isCsv && asObject(item.value)?.['schema'] === EVIDENCE_SCHEMA,
  read: (item, place) => oneCall(parsed(evidenceCall, item.value, place)),
};

/** What one file told. */
export interface FileCoverage {
  readonly file: string;
  readonly format: string;
  /** Rows that became calls. */
  readonly rows: number;
  /** What was no call of a model, by reason. */
  readonly left_aside: readonly { readonly reason: string; readonly count: number }[];
  /** What the format holds and is not taken, with the reason. */
  readonly not_taken: readonly string[];
}

export interface EvidenceCoverage {
  readonly files: readonly FileCoverage[];
  readonly rows: number;
  /** In how many rows each member that a judgement can use is known. */
  readonly filled: Readonly<Record<string, number>>;
  /** Members that no row has. */
  readonly never: readonly string[];
  /** What therefore cannot be judged, in sentences. */
  readonly cannot: readonly string[];
}

const MEMBERS: Readonly<Record<string, (row: CallRow) => unknown>> = {
  request_id: (row) => row.request_id,
  response_id: (row) => row.response_id,
  job_id: (row) => row.job?.id,
  status: (row) => row.status,
  'usage.input': (row) => row.usage?.input,
  'usage.output': (row) => row.usage?.output,
  'usage.cache_read': (row) => row.usage?.cache_read,
  'usage.cache_write': (row) => row.usage?.cache_write,
  'usage.reasoning': (row) => row.usage?.reasoning,
  units: (row) => row.units,
  max_tokens: (row) => row.max_tokens,
  prompt_bytes: (row) => row.prompt_bytes,
  out_chars: (row) => row.out_chars,
  finish: (row) => row.finish,
  key_fp: (row) => row.key_fp,
};

/** Each holds where none of its members is known in any row. */
const CONSEQUENCES: readonly (readonly [readonly string[], string])[] = [
  [
    ['request_id', 'response_id', 'job_id'],
    'no id: calls are matched to records by model, moment and tokens alone, and alike ones only by their sum',
  ],
  [['usage.input', 'usage.output'], 'no token counts: text calls are judged by bounds, never to the digit'],
  [['usage.cache_read'], 'no cache reads: what a record says of them cannot be compared'],
  [['usage.cache_write'], 'no cache writes: what a record says of them cannot be compared'],
  [['status'], 'no status: a call that was refused, and must cost nothing, looks like any that failed'],
  [['prompt_bytes'], 'no prompt sizes: a call without token counts cannot be bounded'],
  [['out_chars'], 'no size of the output: whether anything was delivered before a call was cut is not known'],
  [['max_tokens'], 'no output limits: the reserve of a call cannot be judged'],
  [['units'], 'no image or video units: calls of these kinds cannot be priced'],
];

/** Intents stand in our own ledgers only. */
const ALWAYS =
  'no intents: a call of a program that was killed is in no such file, so a record without a call proves nothing';

export function coverageOf(files: readonly FileCoverage[], rows: readonly CallRow[]): EvidenceCoverage {
  const filled = Object.fromEntries(
    Object.entries(MEMBERS).map(([name, read]) => [
      name,
      rows.filter((row) => (read(row) ?? null) !== null).length,
    ]),
  );
  const isNever = (name: string): boolean => filled[name] === 0;
  return {
    files,
    rows: rows.length,
    filled,
    never: Object.keys(MEMBERS).filter(isNever),
    cannot: [
      ...CONSEQUENCES.filter(([names]) => names.every(isNever)).map(([, sentence]) => sentence),
      ALWAYS,
    ],
  };
}
