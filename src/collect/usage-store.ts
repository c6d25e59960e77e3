import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  READ_DEFAULTS,
  READ_SCHEMA,
  RECORD_DEFAULTS,
  type ReadLine,
  USAGE_RECORD_SCHEMA,
  USAGE_TOTALS_SCHEMA,
  type UsageRecordLine,
  type UsageTotalsLine,
  type UsageWindow,
} from '../contracts/usage-lines.ts';
import { formatInstant } from '../core/time.ts';
import { LineFile } from './line-file.ts';

/** Seconds since the epoch, fractions allowed; handed in so that files are reproducible in tests. */
export type SecondsNow = () => number;

export const wallSeconds: SecondsNow = () => Date.now() / 1000;

/** Describes one read; fields left out are null. */
export type ReadNote = Pick<ReadLine, 'read'> &
  Partial<Omit<ReadLine, 'schema' | 'read_at' | 'sweep' | 'read'>>;

/** Describes the records of one page. */
export type RecordNote = Pick<UsageRecordLine, 'read_at' | 'by_request_id'> &
  Partial<Pick<UsageRecordLine, 'pass' | 'read' | 'currency'>>;

/** Appends to usage/{pages,records,totals}.ndjson of a run folder. Must be closed. */
export class UsageStore {
  readonly #folder: string;
  readonly #sweep: number;
  readonly #secondsNow: SecondsNow;
  readonly #keyFp: string | null;
  readonly #pages: LineFile;
  readonly #records: LineFile;
  readonly #totals: LineFile;
  readonly #parts = new Map<string, LineFile>();

  constructor(runDir: string, sweep: number, secondsNow: SecondsNow, keyFp: string | null = null) {
    this.#folder = join(runDir, 'usage');
    this.#sweep = sweep;
    this.#secondsNow = secondsNow;
    this.#keyFp = keyFp;
    mkdirSync(this.#folder, { recursive: true });
    this.#pages = new LineFile(join(this.#folder, 'pages.ndjson'));
    this.#records = new LineFile(join(this.#folder, 'records.ndjson'));
    this.#totals = new LineFile(join(this.#folder, 'totals.ndjson'));
  }

  get sweep(): number {
    return this.#sweep;
  }

  get recordsPath(): string {
    return this.#records.path;
  }

  /** Now, as it stands in `read_at`. */
  instant(): string {
    return formatInstant(this.#secondsNow() * 1000);
  }

  read(note: ReadNote, readAt: string = this.instant()): void {
    const { read, ...said } = note;
    const line: ReadLine = {
      schema: READ_SCHEMA,
      read,
      read_at: readAt,
      sweep: this.#sweep,
      window: null,
      request_id: null,
      cursor: null,
      next_cursor: null,
      has_more: null,
      count: null,
      status: null,
      sha256: null,
      complete: null,
      reasons: [],
      ...READ_DEFAULTS,
      key_fp: this.#keyFp,
      ...said,
    };
    this.#pages.append(`${JSON.stringify(line)}\n`);
  }

  /** Records of one page, each as its JSON text; `part` keeps them apart until they are adopted or dropped. */
  records(note: RecordNote, contents: readonly string[], part: string | null = null): void {
    const line: Omit<UsageRecordLine, 'record'> = {
      schema: USAGE_RECORD_SCHEMA,
      read_at: note.read_at,
      sweep: this.#sweep,
      by_request_id: note.by_request_id,
      ...RECORD_DEFAULTS,
      pass: note.pass ?? null,
      read: note.read ?? null,
      key_fp: this.#keyFp,
      currency: note.currency ?? null,
    };
    const before = `${JSON.stringify(line).slice(0, -1)},"record":`;
    const file = part === null ? this.#records : this.#part(part);
    file.append(contents.map((content) => `${before}${content}}\n`).join(''));
  }

  adopt(part: string): void {
    this.#part(part).moveInto(this.#records);
  }

  drop(part: string): void {
    this.#part(part).remove();
  }

  totals(window: UsageWindow, totals: unknown, readAt: string, answerRequestId: string | null): void {
    const line: UsageTotalsLine = {
      schema: USAGE_TOTALS_SCHEMA,
      read_at: readAt,
      sweep: this.#sweep,
      window,
      key_fp: this.#keyFp,
      answer_request_id: answerRequestId,
      totals,
    };
    this.#totals.append(`${JSON.stringify(line)}\n`);
  }

  /** Parts that nobody adopted are removed: their walks were not finished. */
  close(): void {
    for (const file of [this.#pages, this.#records, this.#totals]) file.close();
    for (const part of this.#parts.values()) part.remove();
  }

  #part(name: string): LineFile {
    const held = this.#parts.get(name);
    if (held !== undefined) return held;
    const made = new LineFile(join(this.#folder, `.${name}.part`));
    // Left behind by a process that was killed.
    made.remove();
    this.#parts.set(name, made);
    return made;
  }
}

/** One above the highest sweep in the folder's pages.ndjson; 1 where there is none. */
export function nextSweep(runDir: string): number {
  const file = join(runDir, 'usage', 'pages.ndjson');
  if (!existsSync(file)) return 1;
  const sweeps = [...readFileSync(file, 'utf8').matchAll(/^\{.*?"sweep":(\d+)/gm)];
  return 1 + sweeps.reduce((highest, match) => Math.max(highest, Number(match[1])), 0);
}
