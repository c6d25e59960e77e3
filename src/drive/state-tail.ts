import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_SCHEMA, type StateLine } from '../core/ledger-lines.ts';

/** Follows the state lines that k6 appends to the ledger files of a folder, for live progress only. */
export class StateTail {
  readonly #dir: string;
  readonly #offsets = new Map<string, number>();
  readonly #rests = new Map<string, string>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The state lines appended since the last call, in file order. */
  async read(): Promise<StateLine[]> {
    const names = await readdir(this.#dir).catch(() => []);
    const lines: StateLine[] = [];
    for (const name of names.filter((entry) => entry.endsWith('.ndjson')).sort()) {
      lines.push(...(await this.#readFile(name)));
    }
    return lines;
  }

  async #readFile(name: string): Promise<StateLine[]> {
    const file = await open(join(this.#dir, name), 'r');
    try {
      const { size } = await file.stat();
      const from = this.#offsets.get(name) ?? 0;
      if (size <= from) return [];
      const buffer = Buffer.alloc(size - from);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
      this.#offsets.set(name, from + bytesRead);
      // Our own writer ends each line with a newline and writes ASCII or whole UTF-8 lines: only the last may be partial.
      const text = (this.#rests.get(name) ?? '') + buffer.subarray(0, bytesRead).toString('utf8');
      const cut = text.lastIndexOf('\n');
      this.#rests.set(name, text.slice(cut + 1));
      return text
        .slice(0, cut + 1)
        .split('\n')
        .filter((line) => line.includes(`"${STATE_SCHEMA}"`))
        .map(parseState)
        .filter((state) => state !== null);
    } finally {
      await file.close();
    }
  }
}

function parseState(line: string): StateLine | null {
  const value: unknown = JSON.parse(line);
  return isState(value) ? value : null;
}

function isState(value: unknown): value is StateLine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'schema' in value &&
    value.schema === STATE_SCHEMA &&
    'scenarios' in value &&
    Array.isArray(value.scenarios)
  );
}
