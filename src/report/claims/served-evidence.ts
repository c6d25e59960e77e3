import { createHash } from 'node:crypto';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { ReadLine, UsageRecordLine } from '../../contracts/usage-lines.ts';
import type { BundleInput } from './bundle-input.ts';

/** The documented fields of a record; whatever else a gateway serves beside them stays out of a bundle. */
const FIELDS: { readonly [F in keyof UsageRecord]: true } = {
  usage_estimated: true,
  id: true,
  request_id: true,
  created_at: true,
  model: true,
  result: true,
  billing_status: true,
  amount: true,
  reserved_amount: true,
  refunded_amount: true,
  input_tokens: true,
  output_tokens: true,
  cache_read_tokens: true,
  cache_write_tokens: true,
  pricebook_id: true,
  pricing_version: true,
};

export interface ServedEvidence {
  /** One line each: the records of the claims as served, each content with its first and last read. */
  readonly records: readonly object[];
  /** The answers that they and the price books stand in. */
  readonly reads: readonly object[];
  /** Fields that are left out of records, in all. */
  readonly fields_left_out: number;
}

export function servedEvidence({ claimable, books, reads, records }: BundleInput): ServedEvidence {
  const claimed = new Set(
    claimable.claims.flatMap(({ row }) => row.records.map(({ request_id, id }) => keyOf(request_id, id))),
  );
  const own = records.flatMap((line) => {
    const served = objectOf(line.record);
    return claimed.has(keyOf(served['request_id'], served['id'])) ? [{ line, served }] : [];
  });
  const byContent = [...Map.groupBy(own, ({ served }) => digestOf(served))];
  const pages = pagesOf(reads);
  const shas = new Set(books.map(({ sha256 }) => sha256));
  const used = new Set<ReadLine>(
    reads.filter(({ read, sha256 }) => read === 'book' && sha256 !== null && shas.has(sha256)),
  );
  const shown = byContent.map(([sha256, versions]) => {
    const moments = versions.map(({ line }) => line.read_at).toSorted();
    const found = versions.flatMap(({ line }) => pages(line));
    for (const page of found) used.add(page);
    const served = versions[0]?.served ?? {};
    return {
      first_read_at: moments[0] ?? null,
      last_read_at: moments.at(-1) ?? null,
      record_sha256: sha256,
      page_sha256: [...new Set(found.flatMap(({ sha256: page }) => page ?? []))],
      record: Object.fromEntries(
        Object.keys(FIELDS).flatMap((name) => (name in served ? [[name, served[name]]] : [])),
      ),
    };
  });
  return {
    records: shown,
    reads: reads.filter((read) => used.has(read)).map(readOf),
    fields_left_out: byContent.reduce(
      (sum, [, versions]) =>
        sum + Object.keys(versions[0]?.served ?? {}).filter((name) => !Object.hasOwn(FIELDS, name)).length,
      0,
    ),
  };
}

function readOf({ read, read_at, window, status, count, sha256, answer_request_id }: ReadLine): object {
  return { read, read_at, window, status, count, sha256, answer_request_id };
}

/** The answer that a record stood in; none where several of one moment cannot be told apart. */
function pagesOf(reads: readonly ReadLine[]): (line: UsageRecordLine) => readonly ReadLine[] {
  const pages = Map.groupBy(
    reads.filter(({ read }) => read === 'records' || read === 'request'),
    ({ read_at, sweep }) => `${sweep} ${read_at}`,
  );
  return ({ read_at, sweep, read, pass }) => {
    const here = (pages.get(`${sweep} ${read_at}`) ?? []).filter(
      (page) => read === null || page.page === null || (page.page === read && page.pass === pass),
    );
    return here.length === 1 ? here : [];
  };
}

function keyOf(requestId: unknown, id: unknown): string {
  return JSON.stringify([requestId, id]);
}

function objectOf(record: unknown): Readonly<Record<string, unknown>> {
  return typeof record === 'object' && record !== null ? { ...record } : {};
}

/** Of its JSON text as usage/records.ndjson has it. */
function digestOf(record: object): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('hex');
}
