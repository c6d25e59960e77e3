import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateLine } from '../contracts/ledger-lines.ts';
import { CALL_SCHEMA, STATE_SCHEMA } from '../contracts/schema-names.ts';

/** Read at once; a longer line is read with as much room as it needs. */
const CHUNK_BYTES = 1 << 22;
const NEWLINE = 0x0a;

/** What a load engine appended since the last look: its state lines, and the text of each call row. */
export interface Appended {
  readonly states: readonly StateLine[];
  /** In file order, not parsed: whoever follows a fast run reads a part of them. */
  readonly calls: readonly string[];
}

/** Follows the ledger files that one load engine appends to, for what is shown while it runs. */
export class LedgerTail {
  readonly #dir: string;
  readonly #own: (name: string) => boolean;
  readonly #offsets = new Map<string, number>();

  constructor(dir: string, instance: string) {
    this.#dir = dir;
    this.#own = (name) =>
      name.startsWith(`${instance}-`) && /^\d+\.ndjson$/.test(name.slice(instance.length + 1));
  }

  async read(): Promise<Appended> {
    const names = await readdir(this.#dir).catch(() => []);
    const states: StateLine[] = [];
    const calls: string[] = [];
    for (const name of names.filter(this.#own).sort()) {
      for await (const line of this.#lines(name)) {
        if (line.startsWith(CALL_START)) calls.push(line);
        else if (line.startsWith(STATE_START)) states.push(...parseState(line));
      }
    }
    return { states, calls };
  }

  /** Whole lines alone: what follows the last newline is read again when it has ended. */
  async *#lines(name: string): AsyncGenerator<string, void, undefined> {
    const file = await open(join(this.#dir, name), 'r');
    try {
      let room = CHUNK_BYTES;
      for (;;) {
        const from = this.#offsets.get(name) ?? 0;
        const chunk = await readAt(file, from, room);
        const end = chunk.lastIndexOf(NEWLINE) + 1;
        if (end === 0 && chunk.length < room) return;
        if (end === 0) room *= 2;
        else
          yield* chunk
            .subarray(0, end - 1)
            .toString('utf8')
            .split('\n');
        this.#offsets.set(name, from + end);
      }
    } finally {
      await file.close();
    }
  }
}

/** Our own writer puts the schema first in a line. */
const CALL_START = `{"schema":"${CALL_SCHEMA}"`;
const STATE_START = `{"schema":"${STATE_SCHEMA}"`;

async function readAt(file: FileHandle, from: number, room: number): Promise<Buffer> {
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.max(0, Math.min(room, size - from)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}

function parseState(line: string): readonly StateLine[] {
  const value: unknown = JSON.parse(line);
  return isState(value) ? [value] : [];
}

function isState(value: unknown): value is StateLine {
  return (
    typeof value === 'object' && value !== null && 'scenarios' in value && Array.isArray(value.scenarios)
  );
}
