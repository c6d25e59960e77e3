import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { LineKind } from './kept-lines.ts';
import type { LinePart, PlacedLine } from './line-part.ts';
import type { Store } from './open-store.ts';

export interface StageOptions {
  readonly kind: LineKind;
  readonly temp_dir: string;
  /** Stages the lines of a file as rows of the table of this kind, behind those that it has or in its place. */
  readonly importFile: (file: string, behind: boolean) => Promise<void>;
}

/** Lines of several parts and single ones, staged in one table; view `placed_<kind>` has them with their places. */
export class StagedLines {
  readonly files: string[] = [];
  readonly #store: Store;
  readonly #options: StageOptions;
  /** Of rows from here on, what is added for their place. */
  readonly #shifts: { readonly from: number; readonly shift: number }[] = [];
  #rows = 0;

  constructor(store: Store, options: StageOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Parts of files, and lines that were read before. */
  async begin(parts: readonly LinePart[], lines: readonly PlacedLine[]): Promise<void> {
    await this.#store.run(`CREATE OR REPLACE TABLE ${this.#options.kind}_places (w BIGINT, place BIGINT)`);
    for (const { path, place } of parts) {
      this.#shifts.unshift({ from: this.#rows, shift: place - this.#rows });
      await this.#add(path);
    }
    await this.add(lines);
  }

  async add(lines: readonly PlacedLine[]): Promise<void> {
    const { kind, temp_dir } = this.#options;
    if (lines.length > 0 || this.files.length === 0) {
      const first = this.#rows;
      const path = join(temp_dir, `lines-${kind}-${this.files.length}.ndjson`);
      await writeFile(path, lines.map(({ text }) => `${text}\n`).join(''));
      await this.#add(path);
      await this.#store.append(
        `${kind}_places`,
        lines.map(({ place }, index) => [BigInt(first + index), BigInt(place)]),
      );
    }
    await this.#store.run(`CREATE OR REPLACE VIEW placed_${kind} AS SELECT ${kind}.*, ${this.#placeSql()}`);
  }

  #placeSql(): string {
    const { kind } = this.#options;
    const stretches = this.#shifts.map(({ from, shift }) => `WHEN ${kind}.rowid >= ${from} THEN ${shift}`);
    const shifted = stretches.length === 0 ? '0' : `CASE ${stretches.join(' ')} END`;
    // Where all lines are those of parts, no row has to be looked up.
    return this.files.some((file) => file.startsWith(join(this.#options.temp_dir, 'lines-')))
      ? `COALESCE(places.place, ${kind}.rowid + ${shifted}) AS place
         FROM ${kind} LEFT JOIN ${kind}_places AS places ON places.w = ${kind}.rowid`
      : `${kind}.rowid + ${shifted} AS place FROM ${kind}`;
  }

  async #add(path: string): Promise<void> {
    const { kind, importFile } = this.#options;
    await importFile(path, this.files.length > 0);
    this.files.push(path);
    const count = z.object({ n: z.number() });
    const [rows] = await this.#store.rows(`SELECT count(*)::DOUBLE AS n FROM ${kind}`, count);
    this.#rows = rows?.n ?? 0;
  }
}
