import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type BillingTerms, NO_TERMS } from '../../contracts/billing-terms.ts';
import type { ErrorCode } from '../../contracts/errors/error-code.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { priceBound } from '../../contracts/plan.ts';
import { PLAN_SCHEMA } from '../../contracts/schema-names.ts';
import {
  type ReadLine,
  readLine,
  type UsageRecordLine,
  type UsageTotalsLine,
  usageRecordLine,
  usageTotalsLine,
} from '../../contracts/usage-lines.ts';
import { readAnswerTexts } from '../../ledger/answer-texts.ts';
import { type LoadedLedger, loadLedger } from '../../ledger/load-ledger.ts';
import { MAPPING_FILE, OWN_BOOK } from '../../pricebook/archive/book-files.ts';
import { verifiedBytes } from '../../pricebook/archive/verified-bytes.ts';
import type { BookOptions } from '../../pricebook/read/adapt-book.ts';
import { readMapping } from '../../pricebook/read/mapping-file.ts';
import { type ReadBook, readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { jsonOf } from '../../text/json-of.ts';
import { AppendedLines } from '../records/appended-lines.ts';
import { type CountedUpstream, readUpstream, upstreamByCall } from '../records/upstream-calls.ts';
import { ownCounts } from '../tokens/token-count-learn.ts';
import { ownOutputs } from '../tokens/token-count-output.ts';
import { readKnown } from './known-files.ts';
import {
  type ArchivedBook,
  DEFAULT_TOLERANCES,
  type ReconcileInput,
  type Tolerances,
} from './reconcile-input.ts';

export interface LoadInputOptions {
  /** A ledger that was read already, or its place. Default: the run folder's calls/. */
  readonly ledger?: LoadedLedger | string;
  /** Keeps the usage lines of the folder that it read before. */
  readonly usage?: UsageFiles;
  /** Overrides the plan's `target.key`; without a plan a key counts as shared. */
  readonly key?: 'shared' | 'exclusive';
  readonly tolerances?: Tolerances;
  readonly terms?: BillingTerms;
  /** Reader of the books; a mapping file is that of the folder. */
  readonly adapter?: BookOptions['adapter'];
  readonly suspense?: ReconcileInput['suspense'];
  readonly basis?: ReconcileInput['basis'];
}

/** plan.json as far as a judgement needs it. */
const plan = z.looseObject({
  schema: z.literal(PLAN_SCHEMA),
  target: z.looseObject({ key: z.enum(['shared', 'exclusive']) }),
  nonce: z.string().optional(),
  cap: z.looseObject({ bounds: z.array(priceBound) }),
});

/** In a run folder: the calls that went behind the target. */
export const UPSTREAM_FILE = 'upstream.ndjson';

/**
 * The usage lines of a run folder. Its reads only ever append: read again, only what has come since is parsed. Throws
 * `usage_corrupt` (exit 2) with file and line.
 */
export class UsageFiles {
  readonly reads: AppendedLines<ReadLine>;
  readonly records: AppendedLines<UsageRecordLine>;
  readonly totals: AppendedLines<UsageTotalsLine>;

  constructor(runDir: string) {
    const usage = join(runDir, 'usage');
    this.reads = grownLines(join(usage, 'pages.ndjson'), readLine);
    this.records = grownLines(join(usage, 'records.ndjson'), usageRecordLine);
    this.totals = grownLines(join(usage, 'totals.ndjson'), usageTotalsLine);
  }
}

function grownLines<Line>(path: string, schema: z.ZodType<Line>): AppendedLines<Line> {
  return new AppendedLines(
    path,
    (text, number) => {
      const parsed = schema.safeParse(jsonOf(text));
      if (parsed.success) return parsed.data;
      throw corrupt('usage_corrupt', path, number, issuesOf(parsed.error));
    },
    // A last line without its newline was being written when the reader stopped; its sweep has no sweep_end.
    (text) => schema.safeParse(jsonOf(text)).data ?? null,
  );
}

/**
 * Reads a run folder: plan.json (if any), calls/, usage/, books/, known/ and upstream.ndjson. Files that a stopped run never
 * wrote count as empty. Throws `usage_corrupt` or `plan_corrupt` (exit 2) with file and line, and what `loadLedger` throws.
 */
export async function loadReconcileInput(
  runDir: string,
  options: LoadInputOptions = {},
): Promise<ReconcileInput> {
  const usage = options.usage ?? new UsageFiles(runDir);
  const planned = await readPlan(join(runDir, 'plan.json'));
  const { ledger: given = runDir } = options;
  const ledger = typeof given === 'string' ? await loadLedger(given) : given;
  return {
    ...(await termsOf(runDir, planned, { ...options, usage })),
    ledger,
    records: await usage.records.read(),
    own_counts: {
      ...ownCounts(planned, ledger.rows),
      outputs: await ownOutputs(ledger.rows, (rows) => readAnswerTexts(ledger.text_files, rows)),
    },
    upstream: await countedUpstream(join(runDir, UPSTREAM_FILE), planned?.nonce ?? null, ledger),
  };
}

/** All that a judgement rests on but the calls and their records. */
export type ReconcileTerms = Omit<
  ReconcileInput,
  'ledger' | 'records' | 'own_counts' | 'upstream' | 'accepted'
>;

/** The terms of a run folder, without its calls and records. Throws as `loadReconcileInput`. */
export async function loadReconcileTerms(runDir: string, options: LoadInputOptions): Promise<ReconcileTerms> {
  return termsOf(runDir, await readPlan(join(runDir, 'plan.json')), options);
}

async function termsOf(
  runDir: string,
  planned: Awaited<ReturnType<typeof readPlan>>,
  options: LoadInputOptions,
): Promise<ReconcileTerms> {
  const usage = options.usage ?? new UsageFiles(runDir);
  return {
    plan: planned,
    reads: await usage.reads.read(),
    totals: await usage.totals.read(),
    books: await readBooks(join(runDir, 'books'), options.adapter),
    key: options.key ?? planned?.target.key ?? 'shared',
    tolerances: options.tolerances ?? DEFAULT_TOLERANCES,
    terms: options.terms ?? NO_TERMS,
    suspense: options.suspense ?? null,
    known: await readKnown(runDir),
    basis: options.basis ?? 'ledger',
  };
}

/** Only a plan says by which nonce its calls are marked. */
async function countedUpstream(
  file: string,
  nonce: string | null,
  { rows, intents }: LoadedLedger,
): Promise<ReadonlyMap<string, CountedUpstream>> {
  if (nonce === null || !existsSync(file)) return new Map();
  const ids = new Set([...rows, ...intents].map(({ call_id }) => call_id));
  return upstreamByCall((await readUpstream(file)).calls, nonce, [...ids]);
}

async function readPlan(path: string): Promise<z.infer<typeof plan> | null> {
  const text = await readFile(path, 'utf8').catch(missingAs(null));
  if (text === null) return null;
  const parsed = plan.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw corrupt('plan_corrupt', path, null, `expected ${PLAN_SCHEMA}: ${issuesOf(parsed.error)}`);
}

/** Throws `book_corrupt` (exit 2) where the bytes of a book are not those of its name. */
async function readBooks(folder: string, adapter: BookOptions['adapter']): Promise<readonly ArchivedBook[]> {
  const names = await readdir(folder).catch(missingAs<string[]>([]));
  const mapping = names.includes(MAPPING_FILE)
    ? readMapping(await readFile(join(folder, MAPPING_FILE), 'utf8'), join(folder, MAPPING_FILE))
    : null;
  const books = names.filter((name) => /^(own-)?[0-9a-f]{64}\.(json|yaml|csv)$/.test(name)).sort();
  const own = books.filter((name) => name.startsWith(OWN_BOOK));
  return (own.length > 0 ? own : books).map((name) => {
    const reading = readPriceBook(verifiedBytes(join(folder, name)), { adapter: adapter ?? 'auto', mapping });
    return {
      sha256: name.slice(name.indexOf('-') + 1, name.lastIndexOf('.')),
      reading: own.length === 0 || 'unreadable' in reading ? reading : givenByHand(reading),
      own: own.length > 0,
    };
  });
}

/**
 * Marks a book in place of the target's: it is that of every record, whatever version the record names, and the target
 * published nothing of it.
 */
function givenByHand(reading: ReadBook): ReadBook {
  const { book, settings } = reading;
  return {
    ...reading,
    identified: false,
    book: { ...book, source: { ...book.source, kind: 'agreed' } },
    settings: settings.map((each) =>
      each.evidence === 'published by the target'
        ? { ...each, evidence: 'told by the price book given by hand' }
        : each,
    ),
  };
}

function missingAs<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value;
    throw error;
  };
}

function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ');
}

function corrupt(code: ErrorCode, path: string, line: number | null, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code,
    message: `${path}${line === null ? '' : `:${line}`}: ${what}`,
    hint: 'restore the file as it was written, or read the usage again',
    exitCode: EXIT.usage,
  });
}
