import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { CALL_SCHEMA, INTENT_SCHEMA, LEDGER_SCHEMA, STATE_SCHEMA } from '../../contracts/schema-names.ts';
import type { Shape } from '../../contracts/shape.ts';
import { EVIDENCE_FORMATS, type Evidence, readEvidence } from '../../ledger/evidence/read-evidence.ts';
import { type LoadedLedger, loadLedger } from '../../ledger/load-ledger.ts';
import { folderFile } from './folder-file.ts';

/** Forms of `--ledger-format`: `weighbridge` is a ledger of ours, `auto` tells by the first entry of each file. */
export const LEDGER_FORMATS = ['weighbridge', ...EVIDENCE_FORMATS] as const;
type LedgerFormat = (typeof LEDGER_FORMATS)[number];

/** A ledger that no run of ours made, as the flags name it. */
export interface EvidenceSource {
  readonly files: readonly string[];
  readonly format: LedgerFormat;
  readonly columns: string | null;
  /** SHA-256 of all its bytes, in hex. */
  readonly digest: string;
}

const FOLDER = 'evidence';

const keptEvidence = z.strictObject({
  format: z.enum(LEDGER_FORMATS),
  /** Names in the folder, in the order in which they are read. */
  files: z.array(z.string()),
  /** Of folders of older versions, which hold the files whole. */
  columns: z.string().nullable(),
  /** Halves of entries at the ends of the files that the calls were read from. */
  torn: z
    .array(z.strictObject({ file: z.string(), line: z.number(), what: z.string(), gap: z.boolean() }))
    .default([]),
});
type KeptEvidence = Shape<typeof keptEvidence>;

const EVIDENCE_FILE = folderFile({
  name: 'evidence.json',
  code: 'evidence_unreadable',
  version: 'weighbridge.kept-evidence/1',
  content: keptEvidence,
  hint: 'Run `weighbridge reconcile --ledger` on the files again.',
});

const OWN_SCHEMAS: readonly string[] = [LEDGER_SCHEMA, INTENT_SCHEMA, CALL_SCHEMA, STATE_SCHEMA];

/** The files of `--ledger`: those given, and in folders all that may be evidence. Throws `ledger_missing` (exit 2). */
export function evidenceSource(
  paths: readonly string[],
  format: string | undefined,
  columns: string | undefined,
): EvidenceSource {
  const named = z.enum(LEDGER_FORMATS).safeParse(format ?? 'auto');
  if (!named.success) throw unknownFormat(format ?? '');
  const files = [...new Set(paths.flatMap(filesOf))];
  if (files.length === 0) throw missing(paths.join(', '));
  if (columns !== undefined && !existsSync(columns)) throw missingColumns(columns);
  const hash = createHash('sha256').update(`${named.data}\n`);
  for (const file of [...files, ...(columns === undefined ? [] : [columns])])
    eachPiece(file, (bytes) => hash.update(bytes));
  const own = named.data === 'auto' && files.every(isOwnLedger);
  return {
    files,
    format: own ? 'weighbridge' : named.data,
    columns: columns ?? null,
    digest: hash.digest('hex'),
  };
}

function filesOf(path: string): readonly string[] {
  if (!existsSync(path)) throw missing(path);
  if (!statSync(path).isDirectory()) return [resolve(path)];
  return readdirSync(path)
    .filter((name) => /\.(ndjson|jsonl|json|csv)$/.test(name))
    .sort()
    .map((name) => resolve(path, name));
}

function isOwnLedger(file: string): boolean {
  let head = '';
  eachPiece(file, (bytes) => {
    head = Buffer.from(bytes).toString('utf8', 0, HEAD_BYTES);
    return false;
  });
  return OWN_SCHEMAS.some((schema) => head.startsWith(`{"schema":"${schema}"`));
}

const PIECE_BYTES = 1 << 20;
const HEAD_BYTES = 200;

/** Hands over a file piece by piece, until `take` gives false. */
function eachPiece(file: string, take: (bytes: Uint8Array) => unknown): void {
  if (!existsSync(file)) throw missing(file);
  const descriptor = openSync(file, 'r');
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (;;) {
      const read = readSync(descriptor, piece);
      if (read === 0 || take(piece.subarray(0, read)) === false) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Keeps a ledger in the folder of its audit, which then needs nothing outside it. A ledger of ours is copied. Of another
 * program's the calls are kept as they were understood, in the short form: its prompts, answers, names and addresses
 * never reach the folder. Throws as `readEvidence` does; then what was kept before stays.
 */
export async function keepEvidence(runDir: string, source: EvidenceSource): Promise<void> {
  const { files, format, columns } = source;
  const foreign =
    format === 'weighbridge'
      ? null
      : await readEvidence({ files, format, ...(columns === null ? {} : { columns }) });
  const folder = join(runDir, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (foreign === null) {
    const names = files.map((file, index) => `${index}-${basename(file)}`);
    for (const [index, file] of files.entries()) copyFileSync(file, join(folder, names[index] ?? ''));
    EVIDENCE_FILE.write(runDir, { format, files: names, columns: null, torn: [] });
    return;
  }
  const names = foreign.calls.flatMap((calls, index) => {
    if (calls.length === 0) return [];
    const lines = calls.map((call) => `${JSON.stringify(call)}\n`);
    writeFileSync(join(folder, `${index}.ndjson`), lines.join(''));
    return [`${index}.ndjson`];
  });
  EVIDENCE_FILE.write(runDir, { format: 'evidence', files: names, columns: null, torn: [...foreign.torn] });
}

/** The files of a ledger of ours that a folder keeps; null where it keeps none, or one of another form. */
export function keptLedgerFiles(runDir: string): readonly string[] | null {
  const kept = EVIDENCE_FILE.read(runDir);
  return kept?.format === 'weighbridge' ? filesIn(runDir, kept) : null;
}

function filesIn(runDir: string, { files }: KeptEvidence): readonly string[] {
  return files.map((name) => join(runDir, FOLDER, name));
}

/** The ledger that a folder keeps, and what its form leaves open; null where it keeps none. */
export async function readKeptEvidence(
  runDir: string,
): Promise<{ readonly ledger: LoadedLedger; readonly coverage: Evidence['coverage'] | null } | null> {
  const kept = EVIDENCE_FILE.read(runDir);
  if (kept === null) return null;
  const files = filesIn(runDir, kept);
  if (kept.format === 'weighbridge') return { ledger: await loadLedger(files), coverage: null };
  const columns = kept.columns === null ? {} : { columns: join(runDir, FOLDER, kept.columns) };
  const { ledger, coverage } = await readEvidence({ files, format: kept.format, ...columns });
  return { ledger: { ...ledger, problems: [...kept.torn, ...ledger.problems] }, coverage };
}

function missing(path: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'ledger_missing',
    message: `There are no ledger files at ${path}.`,
    hint: 'Give files, or folders with *.ndjson, *.jsonl, *.json or *.csv files.',
  });
}

function missingColumns(path: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'evidence_columns',
    message: `The mapping ${path} of --columns does not exist.`,
    hint: 'Correct the path. docs/evidence.md shows a complete mapping.',
  });
}

function unknownFormat(found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'ledger_format_unknown',
    message: `--ledger-format must be one of ${LEDGER_FORMATS.join(', ')}, but it is ${JSON.stringify(found)}.`,
    hint: 'Give one of these names, or leave the flag out to detect the format. docs/evidence.md shows each format.',
  });
}
