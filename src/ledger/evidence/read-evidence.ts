import { WeighbridgeError } from '../../contracts/failure.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { asObject } from '../../wire/json-fields.ts';
import type { LedgerProblem } from '../ledger-problem.ts';
import type { LoadedLedger } from '../load-ledger.ts';
import { csvByColumns, readColumns } from './csv-columns.ts';
import { type EvidenceCall, evidenceCall, rowOfEvidence } from './evidence-call.ts';
import { evidenceCorrupt, parsed } from './evidence-error.ts';
import type { EvidenceImporter, PlacedCall } from './evidence-importer.ts';
import { type EvidenceItem, evidenceItems } from './evidence-items.ts';
import { LANGFUSE_OBSERVATIONS } from './langfuse-observations.ts';
import { LITELLM_LOGS } from './litellm-logs.ts';
import { OTEL_SPANS } from './otel-spans.ts';
import {
  coverageOf,
  type EvidenceCoverage,
  type FileCoverage,
  OWN_FORM,
  withoutOuterSpans,
} from './outer-spans.ts';

const IMPORTERS: readonly EvidenceImporter[] = [OWN_FORM, OTEL_SPANS, LITELLM_LOGS, LANGFUSE_OBSERVATIONS];

export const EVIDENCE_FORMATS = ['auto', 'evidence', 'otel', 'litellm', 'langfuse', 'csv'] as const;
export type EvidenceFormat = (typeof EVIDENCE_FORMATS)[number];

export interface EvidenceInput {
  readonly files: readonly string[];
  /** `auto` looks at the first entry of each file. */
  readonly format: EvidenceFormat;
  /** Mapping file of the CSV files; needed for `csv`, and taken for CSV files alone. */
  readonly columns?: string;
}

export interface Evidence {
  readonly ledger: LoadedLedger;
  /** The calls of each file: all that is taken of it. */
  readonly calls: readonly (readonly EvidenceCall[])[];
  /** Halves of entries at the ends of files. */
  readonly torn: readonly LedgerProblem[];
  readonly coverage: EvidenceCoverage;
}

/**
 * Reads ledgers that other programs wrote as one ledger. Everything in them becomes a row, or is counted
 * with the reason
 * why it is none. Throws `evidence_corrupt`, `evidence_missing`, `evidence_unknown` and `evidence_columns`
 * (exit 2) with file and
 * line; half an entry at the end of a file, and a call id that stands twice, are problems.
 */
export async function readEvidence(input: EvidenceInput): Promise<Evidence> {
  const columns = input.columns === undefined ? null : csvByColumns(await readColumns(input.columns));
  if (input.format === 'csv' && columns === null)
    throw unknown('CSV needs a mapping of its columns, and none is given');
  const rows = new Map<string, CallRow>();
  const problems: LedgerProblem[] = [];
  const files: FileCoverage[] = [];
  const taken: (readonly EvidenceCall[])[] = [];
  const torn: LedgerProblem[] = [];
  for (const [index, file] of [...new Set(input.files)].entries()) {
    const read = await readFile(file, (item) => importerOf(input.format, columns, item, file));
    problems.push(...read.problems);
    torn.push(...read.problems);
    taken.push(read.calls.map(({ call }) => call));
    let own = 0;
    for (const { call, line } of read.calls) {
      const what = `second row of call ${call.call_id}`;
      if (rows.has(call.call_id)) problems.push({ file, line, what, gap: false });
      else rows.set(call.call_id, rowOfEvidence(call, `e${index}`));
      own += 1;
    }
    files.push({ ...read.coverage, rows: own });
  }
  const all = [...rows.values()];
  const ledger: LoadedLedger = {
    headers: [],
    intents: [],
    rows: all,
    states: [],
    problems,
    text_files: [],
    unknown_lines: 0,
  };
  return { ledger, calls: taken, torn, coverage: coverageOf(files, all) };
}

async function readFile(file: string, choose: (item: EvidenceItem) => EvidenceImporter) {
  const calls: PlacedCall[] = [];
  const problems: LedgerProblem[] = [];
  const aside = new Map<string, number>();
  const leave = (reason: string): void => void aside.set(reason, (aside.get(reason) ?? 0) + 1);
  let importer: EvidenceImporter | null = null;
  for await (const item of evidenceItems(file)) {
    const { line } = item;
    if ('truncated' in item) {
      problems.push({ file, line, what: item.truncated, gap: false });
      continue;
    }
    importer ??= choose(item);
    if (!importer.recognises(item))
      throw evidenceCorrupt({ file, line }, `expected an entry of the format ${importer.name}`);
    const read = importer.read(item, { file, line });
    calls.push(...read.calls.map((call) => ({ call: parsed(evidenceCall, call, { file, line }), line })));
    read.left_aside.forEach(leave);
  }
  const kept = importer === OTEL_SPANS ? withoutOuterSpans(calls, leave) : calls;
  return {
    calls: kept,
    problems,
    coverage: {
      file,
      format: importer?.name ?? 'none',
      left_aside: [...aside].map(([reason, count]) => ({ reason, count })),
      not_taken: importer?.not_taken ?? [],
    },
  };
}

function importerOf(
  format: EvidenceFormat,
  columns: EvidenceImporter | null,
  item: EvidenceItem,
  file: string,
): EvidenceImporter {
  if (format === 'csv' || (format === 'auto' && item.isCsv && columns !== null)) {
    if (columns !== null && item.isCsv) return columns;
    throw unknown(`${file}:${item.line} is not CSV`);
  }
  const known = IMPORTERS.filter(({ name }) => format === 'auto' || format === name);
  const found = known.find((importer) => importer.recognises(item));
  if (found !== undefined) return found;
  const named =
    format === 'auto' ? 'evidence in one of the known formats' : `evidence of the format ${format}`;
  const members = Object.keys(asObject(item.value) ?? {}).slice(0, 8);
  throw unknown(`${file}:${item.line} has ${members.join(', ') || 'no members'}, and must be ${named}`);
}

function unknown(found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'evidence_unknown',
    message: `The format of the calls is not known. ${found}.`,
    hint: 'Name the format with --ledger-format. Give CSV files a mapping with --columns. docs/evidence.md shows each format.',
  });
}
