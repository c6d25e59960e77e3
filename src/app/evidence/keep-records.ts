import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { nextSweep, UsageStore, wallSeconds } from '../../collect/usage-store.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { notedReads } from './noted-reads.ts';
import { RECORD_MAPPINGS, type RecordMapping } from './record-mapping.ts';
import { recordsOf } from './records-file.ts';

/** Records written at a time. */
const BATCH = 1_000;

export interface RecordFiles {
  readonly files: readonly string[];
  /** SHA-256 of each, in hex, and of the mapping that it is read by; two files of the same bytes are one. */
  readonly digests: readonly string[];
  /** Null for records as a gateway serves them. */
  readonly mapping: RecordMapping | null;
  /** The group of the mapping by which the money is told apart; null for none. */
  readonly by: string | null;
}

/** `named`: a mapping, by its name or file. `by`: one of its groups; throws `group_unknown` (exit 2) for any other. */
export async function recordFiles(
  files: readonly string[],
  named?: string,
  by: string | null = null,
): Promise<RecordFiles> {
  const mapping = named === undefined ? null : RECORD_MAPPINGS.read(named);
  if (by !== null) checkGroup(by, mapping);
  const byDigest = new Map<string, string>();
  for (const file of files) {
    // Told as missing or corrupt by the reader.
    const bytes = existsSync(file) ? await digestOf(file) : file;
    const digest =
      mapping === null ? bytes : sha256Of([bytes, mapping.digest, ...(by === null ? [] : [by])].join(' '));
    if (!byDigest.has(digest)) byDigest.set(digest, file);
  }
  return { files: [...byDigest.values()], digests: [...byDigest.keys()], mapping, by };
}

function checkGroup(by: string, mapping: RecordMapping | null): void {
  const known = [...new Set((mapping?.kinds ?? []).flatMap(({ groups }) => Object.keys(groups ?? {})))];
  if (known.includes(by)) return;
  const names = known.join(', ') || 'none';
  throw new WeighbridgeError({
    code: 'group_unknown',
    message:
      mapping === null
        ? `--by ${by} needs --records-mapping.`
        : `--by must be one of these groups: ${names}. It is ${by}.`,
    hint: 'Give one of these groups. docs/records.md shows how a mapping names its groups.',
  });
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch {
    return file;
  }
  return hash.digest('hex');
}

export interface KeptRecords {
  readonly records: number;
  /** Records left aside because they are dated outside the period. */
  readonly outside: number;
  /** The seconds in which those lie; null where there are none. */
  readonly outsideSpan: UsageWindow | null;
  /** Rows that the mapping leaves out, by what they have in place of what it takes. */
  readonly left: ReadonlyMap<string, number>;
  /** Torn last lines. */
  readonly problems: readonly string[];
}

/**
 * Writes the records of files into a run folder as one sweep, in place of those of the target: the folder then holds all
 * that a judgement needs. A torn last line leaves the sweep incomplete. Files that are the folder's last sweep already
 * are not read again. Without a `window` that of the records counts. Throws as `recordsOf`; then nothing was written.
 */
export async function keepRecords(
  runDir: string,
  { files, digests, mapping, by }: RecordFiles,
  window: UsageWindow | null,
): Promise<KeptRecords | null> {
  if (isLastSweep(runDir, digests)) return null;
  const store = new UsageStore(runDir, nextSweep(runDir), wallSeconds);
  const problems: string[] = [];
  const left = new Map<string, number>();
  const parts = new Map<string | null, string>();
  const counts: { file: number; currency: string | null; count: number }[] = [];
  let seconds: UsageWindow | null = null;
  let total = 0;
  let outside = 0;
  let outsideSpan: UsageWindow | null = null;
  try {
    for (const [index, file] of files.entries()) {
      const batches = new Map<string | null, string[]>();
      const flush = (currency: string | null): void => {
        const part = parts.get(currency) ?? `records-${parts.size}`;
        parts.set(currency, part);
        const note = { read_at: store.instant(), by_request_id: false, currency };
        store.records(note, batches.get(currency) ?? [], part);
        batches.set(currency, []);
      };
      const own = new Map<string | null, number>([[null, 0]]);
      for await (const read of recordsOf(file, mapping, by)) {
        if ('left' in read) {
          left.set(read.left, (left.get(read.left) ?? 0) + 1);
          continue;
        }
        if ('torn' in read) {
          problems.push(read.torn);
          continue;
        }
        const { record, currency } = read;
        if (window !== null && isOutside(window, record['created_at'])) {
          outside += 1;
          outsideSpan = widened(outsideSpan, record['created_at']);
          continue;
        }
        const batch = batches.get(currency) ?? [];
        batches.set(currency, batch);
        batch.push(JSON.stringify(record));
        own.set(currency, (own.get(currency) ?? 0) + 1);
        seconds = widened(seconds, record['created_at']);
        if (batch.length >= BATCH) flush(currency);
      }
      for (const currency of batches.keys()) flush(currency);
      for (const [currency, count] of own)
        if (count > 0 || own.size === 1) counts.push({ file: index, currency, count });
    }
    for (const part of parts.values()) store.adopt(part);
    const period = window ?? seconds ?? { start: 0, end: 0 };
    for (const [page, { file, currency, count }] of counts.entries()) {
      total += count;
      const sha256 = digests[file] ?? null;
      store.read({
        read: 'records',
        window: period,
        purpose: 'sweep',
        page,
        count,
        currency,
        sha256,
        has_more: false,
      });
    }
    store.read({
      read: 'sweep_end',
      window: period,
      count: total,
      complete: problems.length === 0,
      reasons: problems,
      // A file proves nothing of what is not in it.
      leaves: [],
      hazards: [],
    });
  } finally {
    store.close();
  }
  return { records: total, outside, outsideSpan, left, problems };
}

/** A record whose date cannot be read stays, and is told as malformed. */
function isOutside({ start, end }: UsageWindow, createdAt: unknown): boolean {
  if (typeof createdAt !== 'number' || !Number.isSafeInteger(createdAt)) return false;
  return createdAt < start || createdAt >= end;
}

function widened(window: UsageWindow | null, createdAt: unknown): UsageWindow | null {
  if (typeof createdAt !== 'number' || !Number.isSafeInteger(createdAt)) return window;
  return {
    start: Math.min(window?.start ?? createdAt, createdAt),
    end: Math.max(window?.end ?? createdAt, createdAt + 1),
  };
}

function isLastSweep(runDir: string, digests: readonly string[]): boolean {
  const reads = notedReads(runDir);
  const last = reads.reduce((most, { sweep }) => Math.max(most, sweep), 0);
  const own = reads.filter(({ sweep }) => sweep === last);
  const kept = new Set(own.filter(({ read }) => read === 'records').map(({ sha256 }) => sha256));
  return (
    own.some(({ read }) => read === 'sweep_end') &&
    kept.size === digests.length &&
    digests.every((digest) => kept.has(digest))
  );
}

/** Says which rows the mapping left out, the most first. */
export function leftOutWords(left: KeptRecords['left'] = new Map()): string[] {
  return [...left]
    .toSorted(([, one], [, other]) => other - one)
    .map(([why, count]) => `${count} ${count === 1 ? 'row is' : 'rows are'} left out by the mapping: ${why}`);
}
