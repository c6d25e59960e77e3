import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { CALL_SCHEMA } from '../../contracts/schema-names.ts';
import { replaceFileAfter } from '../../files/replace-file.ts';
import { parseLedgerLine } from '../../ledger/parse-ledger-line.ts';

/**
 * Rows of submits whose tasks are open, a file each: a ledger has one row a call, which is written when its task is over, by
 * whichever process is there then. A row that is lost leaves its intent, which says as much as is proved without it.
 */
export class SubmittedRows {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async keep(id: string, row: CallRow): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await replaceFileAfter(this.#path(id), (part) => writeFile(part, JSON.stringify(row), { mode: 0o600 }));
  }

  /** Null where there is none that can be read. */
  async read(id: string): Promise<CallRow | null> {
    const text = await readFile(this.#path(id), 'utf8').catch(() => null);
    const parsed = text === null ? null : parseLedgerLine(text);
    return parsed !== null && 'line' in parsed && parsed.line.schema === CALL_SCHEMA ? parsed.line : null;
  }

  async forget(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  #path(id: string): string {
    return join(this.#dir, `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`);
  }
}
