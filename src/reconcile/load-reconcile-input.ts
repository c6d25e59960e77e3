import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PAID_KINDS } from '../core/call-kind.ts';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';
import { jsonOf } from '../core/json-of.ts';
import { PLAN_SCHEMA, type PriceBound } from '../core/plan.ts';
import {
  READ_SCHEMA,
  type ReadLine,
  USAGE_RECORD_SCHEMA,
  USAGE_TOTALS_SCHEMA,
  type UsageRecordLine,
  type UsageTotalsLine,
} from '../core/usage-lines.ts';
import { loadLedger } from '../ledger/load-ledger.ts';
import { textLines } from '../ledger/text-lines.ts';
import { readPriceBook } from '../pricebook/read-price-book.ts';
import {
  type ArchivedBook,
  DEFAULT_TOLERANCES,
  type ReconcileInput,
  type Tolerances,
} from './reconcile-input.ts';

export interface LoadOptions {
  /** A ledger elsewhere: a run folder, a folder of ledger files or a file. Default: the run folder's calls/. */
  readonly ledger?: string;
  /** Overrides the plan's `target.key`; without a plan a key counts as shared. */
  readonly key?: 'shared' | 'exclusive';
  readonly tolerances?: Tolerances;
}

const bound = z.looseObject({
  model: z.string(),
  kind: z.enum(PAID_KINDS),
  per_input_token: z.string(),
  per_output_token: z.string(),
  fixed: z.string(),
  max_output_tokens: z.number().int().nonnegative(),
  limit_obeyed: z.boolean().default(false),
}) satisfies z.ZodType<PriceBound>;

/** plan.json as far as a judgement needs it. */
const plan = z.looseObject({
  schema: z.literal(PLAN_SCHEMA),
  target: z.looseObject({ key: z.enum(['shared', 'exclusive']) }),
  cap: z.looseObject({ bounds: z.array(bound) }),
});

const window = z.looseObject({ start: z.number(), end: z.number() });

const readLine = z.looseObject({
  schema: z.literal(READ_SCHEMA),
  read: z.enum(['records', 'totals', 'book', 'models', 'account', 'request', 'sweep_end']),
  read_at: z.string(),
  sweep: z.number(),
  window: window.nullable(),
  request_id: z.string().nullable(),
  cursor: z.string().nullable(),
  next_cursor: z.string().nullable(),
  has_more: z.boolean().nullable(),
  count: z.number().nullable(),
  status: z.number().nullable(),
  sha256: z.string().nullable(),
  complete: z.boolean().nullable(),
  reasons: z.array(z.string()),
}) satisfies z.ZodType<ReadLine>;

const recordLine = z.looseObject({
  schema: z.literal(USAGE_RECORD_SCHEMA),
  read_at: z.string(),
  sweep: z.number(),
  by_request_id: z.boolean(),
  record: z.unknown(),
}) satisfies z.ZodType<UsageRecordLine>;

const totalsLine = z.looseObject({
  schema: z.literal(USAGE_TOTALS_SCHEMA),
  read_at: z.string(),
  sweep: z.number(),
  window,
  totals: z.unknown(),
}) satisfies z.ZodType<UsageTotalsLine>;

/**
 * Reads a run folder: plan.json (if any), calls/, usage/ and books/. Files that a stopped run never wrote count as
 * empty. Throws `usage_corrupt` or `plan_corrupt` (exit 2) with file and line, and what `loadLedger` throws.
 */
export async function loadReconcileInput(runDir: string, options: LoadOptions = {}): Promise<ReconcileInput> {
  const usage = join(runDir, 'usage');
  const planned = await readPlan(join(runDir, 'plan.json'));
  return {
    plan: planned,
    ledger: await loadLedger(options.ledger ?? runDir),
    reads: await readLines(join(usage, 'pages.ndjson'), readLine),
    records: await readLines(join(usage, 'records.ndjson'), recordLine),
    totals: await readLines(join(usage, 'totals.ndjson'), totalsLine),
    books: await readBooks(join(runDir, 'books')),
    key: options.key ?? planned?.target.key ?? 'shared',
    tolerances: options.tolerances ?? DEFAULT_TOLERANCES,
  };
}

async function readPlan(path: string): Promise<z.infer<typeof plan> | null> {
  const text = await readFile(path, 'utf8').catch(missingAs(null));
  if (text === null) return null;
  const parsed = plan.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw corrupt('plan_corrupt', path, null, `expected ${PLAN_SCHEMA}: ${issuesOf(parsed.error)}`);
}

async function readLines<Line>(path: string, schema: z.ZodType<Line>): Promise<readonly Line[]> {
  const lines: Line[] = [];
  try {
    for await (const { text, number, ended } of textLines(path)) {
      const parsed = schema.safeParse(jsonOf(text));
      if (parsed.success) lines.push(parsed.data);
      // A last line without its newline was being written when the reader stopped; its sweep has no sweep_end.
      else if (ended) throw corrupt('usage_corrupt', path, number, issuesOf(parsed.error));
    }
  } catch (error) {
    missingAs(null)(error);
  }
  return lines;
}

async function readBooks(folder: string): Promise<readonly ArchivedBook[]> {
  const names = await readdir(folder).catch(missingAs<string[]>([]));
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (name) => ({
      sha256: name.slice(0, -'.json'.length),
      reading: readPriceBook(await readFile(join(folder, name))),
    })),
  );
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

function corrupt(code: string, path: string, line: number | null, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code,
    message: `${path}${line === null ? '' : `:${line}`}: ${what}`,
    hint: 'restore the file as it was written, or read the usage again',
    exitCode: EXIT.usage,
  });
}
