import { existsSync, readFileSync, statSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type Bill, checkedBill, type FoundBill } from '../../bill/read/bill.ts';
import type { BillRowFound } from '../../bill/read/bill-line.ts';
import { BILL_MAPPINGS, type BillMapping } from '../../bill/read/bill-mapping.ts';
import { billCorrupt } from '../../bill/read/bill-problem.ts';
import { parseLosslessJson } from '../../client/lossless-json.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { asArray, asObject, type JsonObject } from '../../wire/json-fields.ts';
import { memberAt } from '../../wire/ruled-row.ts';

/** What stands in a file: the documents of JSON, or the rows of a table. */
interface BillDocument {
  readonly file: string;
  /** Empty for the one document of a file. */
  readonly at: string;
  readonly value: unknown;
}

const csvRows = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.number() }) }),
);
const paged = z.looseObject({ has_more: z.boolean() });

/**
 * Reads the files of one bill: JSON as served, pages of it one a line or in a list, or CSV. Which form it is, its members
 * tell, unless a mapping is named. Throws `bill_missing`, `bill_kind_unknown`, and as `checkedBill` (exit 2).
 */
export function readBillFiles(files: readonly string[], named: string | null): Bill {
  const documents = files.flatMap(documentsOf);
  const mapping = named === null ? toldMapping(documents, files) : BILL_MAPPINGS.read(named);
  return checkedBill(found(documents, mapping), mapping);
}

/** Whether the members of a file tell that it is a bill of one known form. */
export function isKnownBill(file: string): boolean {
  return fittingMappings(documentsOf(file)).length === 1;
}

function found(documents: readonly BillDocument[], mapping: BillMapping): FoundBill {
  const all = documents.flatMap((document) => rowsOf(document, mapping));
  const isOpen = documents.map(({ value }) => paged.safeParse(value).data?.has_more ?? null);
  const pages = isOpen.filter((open) => open !== null);
  return {
    rows: all.flatMap(({ rows }) => rows),
    empty: all.flatMap(({ empty }) => empty),
    // One page is the last: without it the others lead on to what is not here.
    torn:
      pages.length === 0 || pages.includes(false)
        ? []
        : [`${documents.at(-1)?.file ?? ''} says has_more, and the page after it is not there`],
  };
}

function documentsOf(file: string): readonly BillDocument[] {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new WeighbridgeError({
      code: 'bill_missing',
      message: `There is no bill at ${file}${existsSync(file) ? '. It is a folder' : ''}.`,
      hint: 'Give the path of a JSON or CSV file.',
    });
  const text = readFileSync(file, 'utf8').replace(/^\u{feff}/u, '');
  if (!/^\s*[[{]/u.test(text)) return tableOf(file, text);
  const whole = jsonIn(text);
  if (whole !== undefined) return listOf(file, whole, '');
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = jsonIn(line);
    if (value === undefined)
      throw billCorrupt({ file, at: `${index + 1}` }, 'expected JSON, found another text');
    return listOf(file, value, `${index + 1}`);
  });
}

function listOf(file: string, value: unknown, at: string): readonly BillDocument[] {
  if (!Array.isArray(value)) return [{ file, at, value }];
  return value.map((each, index) => ({ file, at: at === '' ? `[${index}]` : at, value: each }));
}

function jsonIn(text: string): unknown {
  try {
    return parseLosslessJson(text).value;
  } catch {
    return undefined;
  }
}

function tableOf(file: string, text: string): readonly BillDocument[] {
  try {
    const rows = csvRows.parse(parse(text, { columns: true, bom: true, info: true, skip_empty_lines: true }));
    // A row that goes over several lines is told by its last.
    return rows.map(({ record, info }) => ({ file, at: `${info.lines}`, value: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = typeof error['lines'] === 'number' ? `${error['lines']}` : '1';
    throw billCorrupt({ file, at }, `expected CSV with one row of column names: ${error.message}`);
  }
}

/** The rows of a document; a row without any result tells that nothing was billed then. */
function rowsOf(
  { file, at, value }: BillDocument,
  { rows: places, inner }: Pick<BillMapping, 'rows' | 'inner'>,
): { readonly rows: readonly BillRowFound[]; readonly empty: readonly BillRowFound[] } {
  const document = asObject(value) ?? {};
  const named = (places ?? []).find((path) => memberAt(document, path) !== null);
  const held = named === undefined ? [value] : asArray(memberAt(document, named));
  const outer = held.map((each, index) => {
    const place = { file, at: named === undefined ? at : `${at}${at === '' ? '' : ' '}${named}[${index}]` };
    const row = asObject(each);
    if (row === null) throw billCorrupt(place, 'expected a row, which is a JSON object');
    return { place, row };
  });
  if (inner === undefined) return { rows: outer, empty: [] };
  const isList = ({ row }: BillRowFound): boolean => Array.isArray(row[inner]);
  const lists = outer.filter(isList);
  return {
    rows: [...outer.filter((each) => !isList(each)), ...lists.flatMap((each) => innerRows(each, inner))],
    empty: lists.filter(({ row }) => asArray(row[inner]).length === 0),
  };
}

/** Each result with what stands beside the list. */
function innerRows({ place, row }: BillRowFound, inner: string): readonly BillRowFound[] {
  const beside = Object.entries(row).filter(([name]) => name !== inner);
  return asArray(row[inner]).map((each, index) => {
    const at = { file: place.file, at: `${place.at}.${inner}[${index}]` };
    const own = asObject(each);
    if (own === null) throw billCorrupt(at, 'expected a result, which is a JSON object');
    const joined: JsonObject = { ...Object.fromEntries(beside), ...own };
    return { place: at, row: joined };
  });
}

function toldMapping(documents: readonly BillDocument[], files: readonly string[]): BillMapping {
  const [only, ...others] = fittingMappings(documents);
  if (only !== undefined && others.length === 0) return only;
  throw new WeighbridgeError({
    code: 'bill_kind_unknown',
    message: `The form of the bill in ${files.join(', ')} is not known. Known forms are ${BILL_MAPPINGS.names.join(', ')}.`,
    hint: 'Name the form with --bill-mapping, or write a mapping (docs/bills.md).',
  });
}

function fittingMappings(documents: readonly BillDocument[]): readonly BillMapping[] {
  return BILL_MAPPINGS.names
    .map((name) => BILL_MAPPINGS.read(name))
    .filter((mapping) => tells(documents, mapping));
}

/** By the first row of each document: a bill may begin with days that nothing was billed for. */
function tells(documents: readonly BillDocument[], mapping: BillMapping): boolean {
  return documents.slice(0, MOST_LOOKED_AT).some((document) => {
    const isWhole = mapping.rows === undefined || asObject(document.value) !== null;
    const rows = isWhole ? rowsToLookAt(document, mapping) : [];
    return rows.some((row) =>
      (mapping.told_by ?? []).some((paths) => paths.every((path) => isMember(row, path))),
    );
  });
}

const MOST_LOOKED_AT = 40;

function rowsToLookAt(document: BillDocument, mapping: BillMapping): readonly JsonObject[] {
  const object = asObject(document.value) ?? {};
  const named = (mapping.rows ?? []).find((path) => Array.isArray(memberAt(object, path)));
  const held = named === undefined ? [object] : asArray(memberAt(object, named));
  return held.flatMap((each) => {
    const row = asObject(each);
    if (row === null) return [];
    const inner = mapping.inner === undefined ? [] : asArray(row[mapping.inner]);
    return inner.length === 0 ? [row] : inner.map((own) => ({ ...row, ...asObject(own) }));
  });
}

/** There, whatever it holds. */
function isMember(row: JsonObject, path: string): boolean {
  const [first = '', ...rest] = path.split('.');
  if (Object.hasOwn(row, path)) return true;
  const held = asObject(row[first]);
  return (
    Object.hasOwn(row, first) && (rest.length === 0 || (held !== null && isMember(held, rest.join('.'))))
  );
}
