import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CALL_SCHEMA, INTENT_SCHEMA } from '../../contracts/schema-names.ts';
import { formatInstant, parseInstant } from '../../core/time.ts';
import { collectLedger, type LoadedLedger } from '../../ledger/load-ledger.ts';
import { type ParsedLine, parseLedgerLine } from '../../ledger/parse-ledger-line.ts';
import type { LedgerItem } from '../../ledger/read-ledger.ts';
import { AppendedLines } from '../../reconcile/records/appended-lines.ts';

const DAY_MS = 86_400_000;

/** Own calls, and how many of them are still under way. */
export interface OwnCalls {
  readonly ledger: LoadedLedger;
  readonly under_way: number;
}

interface Span {
  readonly since_ms: number;
  readonly running_since_ms: number;
}

/**
 * The ledger of a daemon, which only grows: each line is read once, and kept as long as its call may be asked for. Files are
 * named by the UTC day of their first line, and the row of a task may stand days after its intent.
 */
export class OwnLedger {
  readonly #dir: string;
  readonly #files = new Map<string, AppendedLines<Numbered>>();
  #items: readonly LedgerItem[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Lines read from the disk so far. */
  lines_read = 0;

  /** Takes what was written since the last time; files that ended before the moment are left alone. */
  async readOn(since_ms: number): Promise<void> {
    if (!existsSync(this.#dir)) return;
    const first = formatInstant(since_ms - DAY_MS).slice(0, 10);
    const names = (await readdir(this.#dir)).filter((name) => name.endsWith('.ndjson') && name >= first);
    const news: LedgerItem[] = [];
    for (const name of names.sort()) {
      const file = join(this.#dir, name);
      for (const { parsed, line } of await this.#linesOf(file).news()) {
        this.lines_read += 1;
        if ('damaged' in parsed) news.push({ file, line, problem: `damaged line: ${parsed.damaged}` });
        else if ('line' in parsed) news.push({ file, line, value: parsed.line });
        else news.push({ file, line, unknown_schema: parsed.unknown_schema });
      }
    }
    this.#items = [...this.#items, ...news];
  }

  /**
   * The calls that started at a moment or later. Of a call that was begun and has no row nothing can be judged while it may
   * still be running.
   */
  async since({ since_ms, running_since_ms }: Span): Promise<OwnCalls> {
    const whole = await collectLedger(each(this.#items));
    const rows = whole.rows.filter((row) => momentOf(row.started_at) >= since_ms);
    const begun = whole.intents.filter(({ at }) => momentOf(at) >= since_ms);
    const left = new Set(runningOf(whole, running_since_ms).map(({ call_id }) => call_id));
    const intents = begun.filter(({ call_id }) => !left.has(call_id));
    return { ledger: { ...whole, rows, intents }, under_way: begun.length - intents.length };
  }

  /** Lets go of calls that started before the moment, but of those from which one that is under way began. */
  async forget({ since_ms, running_since_ms }: Span): Promise<void> {
    const running = runningOf(await collectLedger(each(this.#items)), running_since_ms);
    const from = running.reduce((least, { at }) => Math.min(least, momentOf(at)), since_ms);
    this.#items = this.#items.filter((item) => startOf(item) >= from);
  }

  #linesOf(file: string): AppendedLines<Numbered> {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const opened = new AppendedLines<Numbered>(
      file,
      (text, line) => ({ parsed: parseLedgerLine(text), line }),
      () => null,
    );
    this.#files.set(file, opened);
    return opened;
  }
}

interface Numbered {
  readonly parsed: ParsedLine;
  readonly line: number;
}

async function* each(items: readonly LedgerItem[]): AsyncGenerator<LedgerItem, void, undefined> {
  yield* items;
}

function runningOf({ intents, rows }: LoadedLedger, running_since_ms: number): LoadedLedger['intents'] {
  const ended = new Set(rows.map(({ call_id }) => call_id));
  return intents.filter(({ call_id, at }) => !ended.has(call_id) && momentOf(at) >= running_since_ms);
}

/** What is about no call is kept. */
function startOf(item: LedgerItem): number {
  if (!('value' in item)) return Number.POSITIVE_INFINITY;
  const { value } = item;
  if (value.schema === CALL_SCHEMA) return momentOf(value.started_at);
  return value.schema === INTENT_SCHEMA ? momentOf(value.at) : Number.POSITIVE_INFINITY;
}

function momentOf(text: string): number {
  return parseInstant(text) ?? 0;
}
