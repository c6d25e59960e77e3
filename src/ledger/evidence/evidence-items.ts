import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { jsonOf } from '../../text/json-of.ts';
import { textLines } from '../text-lines.ts';
import { evidenceCorrupt } from './evidence-error.ts';
import { withoutCell } from './shown-text.ts';

/** One entry of a file: an object of JSON, or a row of a CSV file by its columns. */
export interface EvidenceItem {
  readonly line: number;
  readonly value: unknown;
  readonly isCsv: boolean;
}

/** An entry, or the half of one at the end of a file that was being written. */
export type ItemRead = EvidenceItem | { readonly line: number; readonly truncated: string };

const csvRow = z.object({
  record: z.record(z.string(), z.string()),
  info: z.object({ lines: z.number() }),
});

/**
 * The entries of a JSON, NDJSON or CSV file; which of them it is, its first character tells. Lists are
 * taken apart, also
 * where they stand under `data`. Throws `evidence_missing`, and `evidence_corrupt` with file and line.
 */
export async function* evidenceItems(file: string): AsyncGenerator<ItemRead, void, undefined> {
  const head = await headOf(file);
  const start = head.replace(/^\u{feff}?\s*/u, '').charAt(0);
  if (start === '') throw evidenceCorrupt({ file, line: 1 }, 'expected evidence, found an empty file');
  if (start !== '{' && start !== '[') yield* csvItems(file);
  else if (start === '[' || !isNdjson(head)) yield* documentItems(file);
  else yield* lineItems(file);
}

const HEAD_BYTES = 1 << 16;

async function headOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (handle === null) {
    throw new WeighbridgeError({
      code: 'evidence_missing',
      message: `The file of calls ${file} does not exist or cannot be read.`,
      hint: 'Give the path of an NDJSON, JSON or CSV file.',
    });
  }
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    throw evidenceCorrupt({ file, line: 1 }, 'expected a file, found a folder');
  } finally {
    await handle.close();
  }
}

/**
 * The first line is one JSON value, or goes on behind what was looked at. A document over many lines is
 * neither.
 */
function isNdjson(head: string): boolean {
  const bare = head.replace(/^\u{feff}?\s*/u, '');
  const end = bare.indexOf('\n');
  return end < 0 || jsonOf(bare.slice(0, end)) !== undefined;
}

async function* lineItems(file: string): AsyncGenerator<ItemRead, void, undefined> {
  for await (const { text, number: line, ended } of textLines(file)) {
    const value = jsonOf(line === 1 ? text.replace(/^\u{feff}/u, '') : text);
    if (value !== undefined) yield* unlisted(value, line, () => line);
    else if (ended)
      throw evidenceCorrupt({ file, line }, 'expected one JSON object, found text that is not JSON');
    else yield { line, truncated: 'truncated last line: expected one JSON object, found a part of one' };
  }
}

async function* documentItems(file: string): AsyncGenerator<ItemRead, void, undefined> {
  const text = (await readFile(file, 'utf8')).replace(/^\u{feff}/u, '');
  let document: ReturnType<typeof parsePlacedJson>;
  try {
    document = parsePlacedJson(text);
  } catch (error) {
    const line = lineOfSyntaxError(text, error);
    throw evidenceCorrupt(
      { file, line },
      'expected a JSON document, found text that is not JSON from here on',
    );
  }
  yield* unlisted(document.value, 1, document.lineOf);
}

/** V8 tells the offset, or the line, where parsing stopped; for an end that is missing, nothing. */
function lineOfSyntaxError(text: string, error: unknown): number {
  const message = error instanceof Error ? error.message : '';
  const at = /at position (\d+)/.exec(message)?.[1];
  return text
    .slice(0, at === undefined ? text.length : Number(at))
    .trimEnd()
    .split('\n').length;
}

function* unlisted(
  value: unknown,
  line: number,
  lineOf: (object: object) => number,
): Generator<EvidenceItem> {
  const list = Array.isArray(value) ? value : listUnder(value);
  if (list === null) yield { line, value, isCsv: false };
  else
    for (const item of list) yield { line: isObject(item) ? lineOf(item) : line, value: item, isCsv: false };
}

function listUnder(value: unknown): readonly unknown[] | null {
  if (!isObject(value) || !('data' in value)) return null;
  return Array.isArray(value.data) ? value.data : null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

async function* csvItems(file: string): AsyncGenerator<ItemRead, void, undefined> {
  const rows = createReadStream(file).pipe(
    parse({ columns: (names: readonly string[]) => uniqueColumns(names, file), bom: true, info: true }),
  );
  let line = 2;
  try {
    for await (const row of rows) {
      const { record, info } = csvRow.parse(row);
      yield { line, value: record, isCsv: true };
      // A row that goes over several lines is told by its first.
      line = info.lines + 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw evidenceCorrupt(
      { file, line },
      `expected CSV with one row of column names: ${withoutCell(error.message)}`,
    );
  }
}

/** A column that stands twice would hide the first. */
function uniqueColumns(names: readonly string[], file: string): string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw evidenceCorrupt({ file, line: 1 }, `expected each column once, found ${twice} twice`);
  return [...names];
}

/** A JSON document whose objects know their lines. */
interface PlacedJson {
  readonly value: unknown;
  /** Line of an object's opening brace, from 1; 1 where it is not known. */
  lineOf(object: object): number;
}

/** Throws SyntaxError for a text that is no JSON. */
function parsePlacedJson(text: string): PlacedJson {
  const value: unknown = JSON.parse(text);
  const lines = braceLines(text);
  const lineOf = new Map<object, number>();
  // Objects come in the order of their braces, unless members of a name stand twice or names are numbers.
  const objects = objectsOf(value);
  if (objects.length === lines.length) {
    objects.forEach((object, index) => {
      lineOf.set(object, lines[index] ?? 1);
    });
  }
  return { value, lineOf: (object) => lineOf.get(object) ?? 1 };
}

const MARK = /["{\n]/g;
const STRING_END = /(?:[^"\\]|\\.)*"/gsy;

/** Lines of all opening braces outside strings. */
function braceLines(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[0] === '\n') line += 1;
    else if (mark[0] === '{') lines.push(line);
    else {
      STRING_END.lastIndex = MARK.lastIndex;
      if (!STRING_END.test(text)) return lines;
      MARK.lastIndex = STRING_END.lastIndex;
    }
  }
  return lines;
}

function objectsOf(value: unknown): object[] {
  const objects: object[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) objects.push(next);
    open.push(...Object.values(next).reverse());
  }
  return objects;
}
