import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import * as z from 'zod';
import { readYaml } from '../../config/read-yaml.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Statement, TopUp } from '../../contracts/statement.ts';
import { parseAmount } from '../../core/amount.ts';
import { CsvError, type CsvField, readCsv } from '../../plan/trace/read-csv.ts';
import { unreadReason } from './folder-file.ts';

const NAMES = ['statement.yaml', 'statement.csv'] as const;
const COLUMNS = ['entry', 'amount', 'request_id', 'currency'] as const;
const ENTRIES = ['opening', 'top_up', 'fee', 'closing'] as const;

const AMOUNT = 'must be USD as decimal text such as "12.50" with at most 12 decimals';
const amount = z
  .string({ error: `${AMOUNT} (quote it: a bare number is a float)` })
  .refine((text) => parseAmount(text) !== null, { error: AMOUNT });

const statementSchema = z.strictObject({
  currency: z.literal('USD'),
  opening: amount,
  top_ups: z.array(z.strictObject({ amount, request_id: z.string().nullable().default(null) })).default([]),
  fees: z.array(amount).default([]),
  closing: amount,
});

/** Checks an account statement (YAML or CSV) and keeps it in the run folder. Throws `statement_invalid` (exit 2). */
export function storeStatement(runDir: string, file: string): void {
  const text = readText(file);
  const name = isCsv(file) ? 'statement.csv' : 'statement.yaml';
  parseStatement(text, file);
  for (const other of NAMES) rmSync(join(runDir, other), { force: true });
  writeFileSync(join(runDir, name), text);
}

/** The statement that a run folder holds; null where there is none. */
export function readStatement(runDir: string): Statement | null {
  const file = NAMES.map((name) => join(runDir, name)).find((path) => existsSync(path));
  return file === undefined ? null : parseStatement(readText(file), file);
}

function isCsv(file: string): boolean {
  return extname(file).toLowerCase() === '.csv';
}

function parseStatement(text: string, file: string): Statement {
  const statement = isCsv(file) ? ofCsv(text, file) : ofYaml(text, file);
  const seen = new Set<string>();
  for (const { request_id } of statement.top_ups) {
    if (request_id !== null && seen.has(request_id)) {
      throw invalid(`${file}: the receipt ${request_id} is listed twice.`);
    }
    if (request_id !== null) seen.add(request_id);
  }
  return statement;
}

function ofYaml(text: string, file: string): Statement {
  try {
    return readYaml({ text, file }, statementSchema);
  } catch (cause) {
    throw cause instanceof WeighbridgeError ? invalid(cause.message) : cause;
  }
}

function ofCsv(text: string, file: string): Statement {
  const at = ({ line, column }: { readonly line: number; readonly column: number }): string =>
    `${file}:${line}:${column}`;
  try {
    const [header = [], ...records] = [...readCsv(text)];
    const place = columnPlaces(header, at, file);
    let opening: string | null = null;
    let closing: string | null = null;
    const topUps: TopUp[] = [];
    const fees: string[] = [];
    for (const record of records) {
      const entry = record[place.entry];
      const paid = record[place.amount];
      if (entry === undefined || paid === undefined) continue;
      if (parseAmount(paid.text) === null) throw invalid(`${at(paid)}: ${AMOUNT}, found ${said(paid)}`);
      const currency = place.currency === -1 ? undefined : record[place.currency];
      if (currency !== undefined && currency.text !== 'USD' && currency.text !== '') {
        throw invalid(`${at(currency)}: the currency must be USD, but it is ${said(currency)}.`);
      }
      const id = place.request_id === -1 ? '' : (record[place.request_id]?.text ?? '');
      if (entry.text === 'top_up') topUps.push({ amount: paid.text, request_id: id === '' ? null : id });
      else if (entry.text === 'fee') fees.push(paid.text);
      else if (entry.text === 'opening' && opening === null) opening = paid.text;
      else if (entry.text === 'closing' && closing === null) closing = paid.text;
      else {
        const twice = entry.text === 'opening' || entry.text === 'closing';
        const rule = twice ? `expected one ${entry.text}` : `expected one of ${ENTRIES.join(', ')}`;
        throw invalid(`${at(entry)}: ${rule}, found ${twice ? 'another' : said(entry)}`);
      }
    }
    if (opening === null) throw invalid(`${file}: the line with entry opening is missing.`);
    if (closing === null) throw invalid(`${file}: the line with entry closing is missing.`);
    return { opening, closing, top_ups: topUps, fees };
  } catch (cause) {
    throw cause instanceof CsvError ? invalid(`${at(cause)}: ${cause.message}`) : cause;
  }
}

type Places = { readonly [C in (typeof COLUMNS)[number]]: number };

/** −1 for a column that may be missing and is. */
function columnPlaces(header: readonly CsvField[], at: (field: CsvField) => string, file: string): Places {
  const names: readonly string[] = COLUMNS;
  const unknown = header.find(({ text }) => !names.includes(text));
  if (unknown !== undefined) {
    throw invalid(`${at(unknown)}: ${said(unknown)} is not one of the columns ${COLUMNS.join(', ')}.`);
  }
  const index = (name: string): number => header.findIndex(({ text }) => text === name);
  const missing = ['entry', 'amount'].find((name) => index(name) === -1);
  if (missing !== undefined) throw invalid(`${file}:1:1: the column ${missing} is missing.`);
  return {
    entry: index('entry'),
    amount: index('amount'),
    request_id: index('request_id'),
    currency: index('currency'),
  };
}

function said({ text }: CsvField): string {
  return JSON.stringify(text.slice(0, 60));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw invalid(`The statement ${file} cannot be read: ${unreadReason(cause)}.`);
  }
}

function invalid(message: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'statement_invalid',
    message,
    hint: 'Give the opening balance, the closing balance and each top-up. docs/report-format.md shows the file.',
  });
}
