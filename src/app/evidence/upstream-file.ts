import { statSync } from 'node:fs';
import type { ErrorCode } from '../../contracts/errors/error-code.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { JOURNAL_SCHEMA } from '../../contracts/journal.ts';
import { CALL_SCHEMA, INTENT_SCHEMA, LEDGER_SCHEMA, STATE_SCHEMA } from '../../contracts/schema-names.ts';
import type { UpstreamCall, UpstreamHeader } from '../../contracts/upstream-call.ts';
import { textLines } from '../../ledger/text-lines.ts';
import { journalCalls } from '../../reconcile/records/upstream-calls.ts';
import { jsonOf } from '../../text/json-of.ts';
import { asObject } from '../../wire/json-fields.ts';
import { isKnownBill } from '../folder/bill-document.ts';
import { leftOutWords } from './keep-records.ts';
import { RECORD_MAPPINGS, type RecordMapping } from './record-mapping.ts';
import { recordsOf } from './records-file.ts';
import { billedSums, isBillMapping } from './upstream-bill.ts';
import { pricedLedger } from './upstream-ledger.ts';
import { upstreamRows } from './upstream-records.ts';

/** How a file is to be read where its content does not say it. */
export interface UpstreamOptions {
  /** Name or file. */
  readonly mapping?: string | undefined;
  readonly pricebook?: string | undefined;
}

/** What a file holds of the calls behind the target. */
export interface ReadUpstream extends Pick<UpstreamHeader, 'kind' | 'mapping'> {
  readonly calls: readonly UpstreamCall[];
  /** What of it was passed over, in words. */
  readonly notes: readonly string[];
}

const LEDGER_SCHEMAS: readonly unknown[] = [LEDGER_SCHEMA, INTENT_SCHEMA, CALL_SCHEMA, STATE_SCHEMA];

/**
 * Reads the calls that a gateway made to its provider; what kind of file it is, its first entry tells. Throws
 * `upstream_missing`, `upstream_unknown`, and what the reader of its kind throws, with file and line (exit 2).
 */
export async function readUpstreamFile(file: string, options: UpstreamOptions): Promise<ReadUpstream> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined)
    throw refused('upstream_missing', `The file ${file} of --upstream does not exist.`);
  const schema = found.isDirectory() ? LEDGER_SCHEMA : await firstSchema(file);
  if (LEDGER_SCHEMAS.includes(schema))
    return { kind: 'ledger', mapping: null, calls: await pricedLedger(file, options.pricebook), notes: [] };
  if (schema === JOURNAL_SCHEMA)
    return { kind: 'journal', mapping: null, calls: await journalCalls(file), notes: [] };
  if (options.mapping !== undefined && isBillMapping(options.mapping))
    return { kind: 'bill', ...billedSums(file, options.mapping) };
  const named =
    options.mapping === undefined
      ? await mappingOf(file)
      : { name: options.mapping, mapping: RECORD_MAPPINGS.read(options.mapping) };
  if (named === null) return { kind: 'bill', ...billedSums(file, null) };
  const { name, mapping } = named;
  const { calls, left, torn } = await upstreamRows(file, mapping);
  return {
    kind: mapping === null ? 'records' : 'rows',
    mapping: name,
    calls,
    notes: [...leftOutWords(left), ...torn],
  };
}

async function firstSchema(file: string): Promise<unknown> {
  for await (const { text } of textLines(file)) return asObject(jsonOf(text))?.['schema'] ?? null;
  return null;
}

type Named = { readonly name: string | null; readonly mapping: RecordMapping | null };

/** How the first row is a usage record: as it stands, or by a ready mapping; null where the file is a bill that tells sums. */
async function mappingOf(file: string): Promise<Named | null> {
  const reasons: string[] = [];
  const fits: Named[] = [];
  for (const name of [null, ...RECORD_MAPPINGS.names]) {
    const mapping = name === null ? null : RECORD_MAPPINGS.read(name);
    const reason = await whyNot(file, mapping);
    if (reason === null) fits.push({ name, mapping });
    else reasons.push(`${name ?? 'usage records'}: ${reason}`);
  }
  const [one, ...others] = fits;
  if (one !== undefined && others.length === 0) return one;
  if (one === undefined && isKnownBill(file)) return null;
  throw refused(
    'upstream_unknown',
    one === undefined
      ? `The format of ${file} is not known: ${reasons.join('; ')}.`
      : `The rows of ${file} fit more than one format: ${fits.map(({ name }) => name ?? 'usage records').join(' and ')}.`,
  );
}

/** A log whose first rows are all of another kind is told with --upstream-mapping. */
const MOST_LEFT = 1_000;

/** Null where the first row that is taken can be read; rows before it may be of a kind that is left out. */
async function whyNot(file: string, mapping: RecordMapping | null): Promise<string | null> {
  let reason = 'it has no row';
  let rows = 0;
  try {
    for await (const read of recordsOf(file, mapping)) {
      if ('record' in read) return null;
      reason = 'left' in read ? `no row is taken; one has ${read.left}` : read.torn;
      rows += 1;
      if (rows >= MOST_LEFT) return reason;
    }
  } catch (error) {
    if (error instanceof WeighbridgeError) return error.message;
    throw error;
  }
  return reason;
}

function refused(code: ErrorCode, message: string): WeighbridgeError {
  return new WeighbridgeError({
    code,
    message,
    hint: 'Name the format with --upstream-mapping.',
    exitCode: EXIT.usage,
  });
}
