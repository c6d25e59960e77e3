import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import { formatInstant } from '../core/time.ts';
import {
  READ_SCHEMA,
  type ReadLine,
  USAGE_RECORD_SCHEMA,
  USAGE_TOTALS_SCHEMA,
  type UsageRecordLine,
  type UsageTotalsLine,
  type UsageWindow,
} from '../core/usage-lines.ts';

/** Seconds since the epoch, fractions allowed; handed in so that files are reproducible in tests. */
export type SecondsNow = () => number;

export const wallSeconds: SecondsNow = () => Date.now() / 1000;

/** What is said of a read; what is left out is null. */
export type ReadNote = Pick<ReadLine, 'read'> &
  Partial<Omit<ReadLine, 'schema' | 'read_at' | 'sweep' | 'read'>>;

/** Appends to usage/{pages,records,totals}.ndjson of a run folder. Nothing written is ever changed. */
export class UsageStore {
  readonly #dir: string;
  readonly #sweep: number;
  readonly #secondsNow: SecondsNow;

  constructor(runDir: string, sweep: number, secondsNow: SecondsNow) {
    this.#dir = join(runDir, 'usage');
    this.#sweep = sweep;
    this.#secondsNow = secondsNow;
    mkdirSync(this.#dir, { recursive: true });
  }

  /** Now, as it stands in `read_at`. */
  instant(): string {
    return formatInstant(Math.round(this.#secondsNow() * 1000));
  }

  read(note: ReadNote, readAt = this.instant()): void {
    const line: ReadLine = {
      schema: READ_SCHEMA,
      read: note.read,
      read_at: readAt,
      sweep: this.#sweep,
      window: note.window ?? null,
      request_id: note.request_id ?? null,
      cursor: note.cursor ?? null,
      next_cursor: note.next_cursor ?? null,
      has_more: note.has_more ?? null,
      count: note.count ?? null,
      status: note.status ?? null,
      sha256: note.sha256 ?? null,
      complete: note.complete ?? null,
      reasons: note.reasons ?? [],
    };
    appendLines(join(this.#dir, 'pages.ndjson'), [line]);
  }

  records(records: readonly ReadRecord[], byRequestId: boolean): void {
    const lines = records.map(
      ({ record, readAt }): UsageRecordLine => ({
        schema: USAGE_RECORD_SCHEMA,
        read_at: readAt,
        sweep: this.#sweep,
        by_request_id: byRequestId,
        record,
      }),
    );
    appendLines(join(this.#dir, 'records.ndjson'), lines);
  }

  totals(window: UsageWindow, totals: unknown, readAt: string): void {
    const line: UsageTotalsLine = {
      schema: USAGE_TOTALS_SCHEMA,
      read_at: readAt,
      sweep: this.#sweep,
      window,
      totals,
    };
    appendLines(join(this.#dir, 'totals.ndjson'), [line]);
  }
}

export interface ReadRecord {
  /** As served. */
  readonly record: unknown;
  readonly readAt: string;
}

/** One above the highest sweep in the folder's pages.ndjson; 1 where there is none. */
export function nextSweep(runDir: string): number {
  const file = join(runDir, 'usage', 'pages.ndjson');
  if (!existsSync(file)) return 1;
  const sweeps = [...readFileSync(file, 'utf8').matchAll(/^\{.*?"sweep":(\d+)/gm)];
  return 1 + sweeps.reduce((highest, match) => Math.max(highest, Number(match[1])), 0);
}

function appendLines(file: string, lines: readonly unknown[]): void {
  if (lines.length === 0) return;
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  // A line torn by a crash must not swallow the first line after it.
  appendFileSync(file, endsInsideLine(file) ? `\n${text}` : text);
}

function endsInsideLine(file: string): boolean {
  if (!existsSync(file)) return false;
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
  } finally {
    closeSync(descriptor);
  }
}
