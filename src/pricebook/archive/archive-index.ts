import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Shape } from '../../contracts/shape.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { jsonOf } from '../../text/json-of.ts';
import { readPriceBook } from '../read/read-price-book.ts';
import { verifiedBytes } from './verified-bytes.ts';

const ARCHIVE_SCHEMA = 'weighbridge.archive/1';
const INDEX = 'index.ndjson';

/** One stretch of time in which the same bytes were served at every read; both ends RFC 3339 UTC. */
const stretch = z.looseObject({
  schema: z.literal(ARCHIVE_SCHEMA),
  what: z.enum(['book', 'models', 'records', 'totals', 'account']),
  // Lines of older versions lack them.
  /** Which of several of its kind: the credential of a model list, the window of totals, a page of records; else null. */
  part: z.string().nullable().default(null),
  /** Fingerprint of the API key that it was read with; null for what is public, and where that was not written down. */
  key_fp: z.string().nullable().default(null),
  /** Of the bytes as served; `archivedFile` names their file. */
  sha256: z.string(),
  /** What was served repeated a credential, and is kept without it. */
  masked: z.boolean().default(false),
  bytes: z.number(),
  first_seen: z.string(),
  last_seen: z.string(),
  /** Where they were served, without user, password and query. */
  url: z.string().nullable(),
  etag: z.string().nullable(),
  adapter: z.string().nullable(),
  pricebook_id: z.string().nullable(),
  pricing_version: z.string().nullable(),
});
export type ArchiveStretch = Shape<typeof stretch>;

/** What was just served. */
export interface Sighting {
  readonly what: ArchiveStretch['what'];
  readonly part?: string;
  readonly key_fp?: string | null;
  readonly sha256: string;
  readonly masked?: boolean | undefined;
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly content: Uint8Array;
  /** Without user, password and query. */
  readonly url?: string;
  readonly etag?: string;
}

const FOLDERS: Readonly<Record<ArchiveStretch['what'], string>> = {
  book: 'books',
  models: 'models',
  records: 'records',
  totals: 'totals',
  account: 'accounts',
};

/** Where an archive keeps the bytes of a stretch. */
export function archivedFile(dir: string, { what, sha256 }: Pick<ArchiveStretch, 'what' | 'sha256'>): string {
  return join(dir, FOLDERS[what], `${sha256}.json`);
}

/**
 * `<state>/<target>/archive/`: what was served under its hash, and index.ndjson with when each was seen. Lines are
 * only ever added: a stretch that goes on gets a further line with the same first_seen and a later last_seen, at least
 * once a UTC day.
 */
export class BookArchive {
  readonly #dir: string;
  /** The stretch under way by what is read, and which of it. */
  readonly #open = new Map<string, { stretch: ArchiveStretch; written: string }>();
  /** A line was cut off by a full disk. */
  #torn = false;

  constructor(dir: string) {
    this.#dir = dir;
    endLine(join(dir, INDEX));
  }

  /** Keeps the bytes under their hash, and that they were served now. False where the index has nothing new to say. */
  see({ what, part, key_fp = null, sha256, masked = false, at, content, url, etag }: Sighting): boolean {
    keepUnderHash(join(this.#dir, FOLDERS[what]), sha256, content);
    const key = JSON.stringify([what, part ?? null, key_fp]);
    const held = this.#open.get(key);
    if (held !== undefined && held.stretch.sha256 === sha256) {
      held.stretch = { ...held.stretch, last_seen: at };
      if (dayOf(held.written) === dayOf(at)) return false;
      this.#append(held.stretch);
      held.written = at;
      return true;
    }
    this.#flush(key);
    const begun: ArchiveStretch = {
      schema: ARCHIVE_SCHEMA,
      what,
      part: part ?? null,
      key_fp,
      sha256,
      masked,
      bytes: content.byteLength,
      first_seen: at,
      last_seen: at,
      url: url ?? null,
      etag: etag ?? null,
      ...(what === 'book' ? identityOf(content) : UNIDENTIFIED),
    };
    this.#append(begun);
    this.#open.set(key, { stretch: begun, written: at });
    return true;
  }

  /** Writes how long the stretches under way have lasted. What a crash keeps from it makes them shorter, never wrong. */
  close(): void {
    for (const key of [...this.#open.keys()]) this.#flush(key);
  }

  #flush(key: string): void {
    const held = this.#open.get(key);
    if (held !== undefined && held.stretch.last_seen !== held.written) this.#append(held.stretch);
    this.#open.delete(key);
  }

  #append(line: ArchiveStretch): void {
    mkdirSync(this.#dir, { recursive: true });
    const file = join(this.#dir, INDEX);
    if (this.#torn) endLine(file);
    this.#torn = true;
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    this.#torn = false;
  }
}

function dayOf(instant: string): string {
  return instant.slice(0, 10);
}

const UNIDENTIFIED = { adapter: null, pricebook_id: null, pricing_version: null };

function identityOf(content: Uint8Array): Pick<ArchiveStretch, keyof typeof UNIDENTIFIED> {
  const reading = readPriceBook(content);
  const { adapter } = reading.coverage;
  if ('unreadable' in reading || !reading.identified) return { ...UNIDENTIFIED, adapter };
  const { pricebook_id, pricing_version } = reading.book;
  return { adapter, pricebook_id, pricing_version };
}

/** A line torn by a crash must not swallow the first one after it. */
function endLine(file: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
}

/** Writes bytes under their hash unless they stand there; renamed into place, as half a file under a hash is a lie. */
export function keepUnderHash(
  folder: string,
  /** Of the bytes as served; `archivedFile` names their file. */
  sha256: string,
  content: Uint8Array,
  extension = 'json',
): string {
  const path = join(folder, `${sha256}.${extension}`);
  if (existsSync(path)) {
    verifiedBytes(path);
    return path;
  }
  mkdirSync(folder, { recursive: true });
  replaceFile(path, content);
  return path;
}

/** The stretches of an archive by their start. Throws `archive_corrupt` (exit 2) with file and line. */
export function readArchive(dir: string): readonly ArchiveStretch[] {
  const file = join(dir, INDEX);
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const byStart = new Map<string, ArchiveStretch>();
  text.split('\n').forEach((line, index, lines) => {
    if (line === '') return;
    const parsed = stretch.safeParse(jsonOf(line));
    if (!parsed.success) {
      // Being written when the writer stopped, whether or not the next one ended it.
      if (index === lines.length - 1 || jsonOf(line) === undefined) return;
      throw corrupt(`${file}:${index + 1}`, parsed.error.issues[0]);
    }
    const key = JSON.stringify([
      parsed.data.what,
      parsed.data.part,
      parsed.data.key_fp,
      parsed.data.sha256,
      parsed.data.first_seen,
    ]);
    const held = byStart.get(key);
    if (held === undefined || held.last_seen < parsed.data.last_seen) byStart.set(key, parsed.data);
  });
  return [...byStart.values()].sort((left, right) => (left.first_seen < right.first_seen ? -1 : 1));
}

function corrupt(at: string, issue: z.core.$ZodIssue | undefined): WeighbridgeError {
  return new WeighbridgeError({
    code: 'archive_corrupt',
    message: `${at} is not a line of ${ARCHIVE_SCHEMA}${issue === undefined ? '' : `: ${issue.path.join('.') || 'the line'}: ${issue.message}`}.`,
    hint: 'Restore the file as it was written. If you move the archive away, a new one begins with the next read.',
  });
}
