import { z } from 'zod';
import type { LineKind } from '../../ledger/store/kept-lines.ts';
import { keepLines, MarkedLines } from '../../ledger/store/kept-lines.ts';
import { FILE_PLACES, type LinePart, type PlacedLine } from '../../ledger/store/line-part.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import { type PickedLine, pickLines } from '../../ledger/store/pick-lines.ts';
import { linesAt } from './recall-touched.ts';

export interface WantedLines {
  /** By their place: the hash of the id, in its JSON form, by which they were staged; null where they have none. */
  readonly hashes: ReadonlyMap<number, bigint | null>;
  /** Those of which nothing was accepted; the others are those of witnesses. */
  readonly rest: ReadonlySet<number>;
}

/** Rows of the store and lines of the files do not go together. */
export class UnlikeRows extends Error {
  override readonly name = 'UnlikeRows';
}

/** The lines of one kind that are judged one by one: from new parts of the files, and such as were read before. */
export class RestLines {
  readonly marked = new MarkedLines();
  /** Those that were read, for the next judgement. */
  readonly #taken: PlacedLine[] = [];
  readonly #store: Store;
  readonly #kind: LineKind;
  readonly #files: readonly string[];
  readonly #parts: readonly LinePart[];
  readonly #before: readonly PlacedLine[];
  readonly #places: readonly number[];
  readonly #wanted: WantedLines;
  readonly #told = new Map<number, string>();

  private constructor(
    store: Store,
    kind: LineKind,
    files: readonly string[],
    parts: readonly LinePart[],
    before: readonly PlacedLine[],
    places: readonly number[],
    wanted: WantedLines,
  ) {
    this.#store = store;
    this.#kind = kind;
    this.#files = files;
    this.#parts = parts;
    this.#before = before;
    this.#places = places;
    this.#wanted = wanted;
  }

  /** `before`: the lines that were staged and are not in `parts`, ascending. */
  static async of(
    store: Store,
    kind: LineKind,
    files: readonly string[],
    parts: readonly LinePart[],
    before: readonly PlacedLine[],
    wanted: WantedLines,
  ): Promise<RestLines> {
    const { hashes } = wanted;
    const begins = new Map(parts.map(({ place }) => [Math.floor(place / FILE_PLACES), place]));
    const isNew = (place: number): boolean =>
      place >= (begins.get(Math.floor(place / FILE_PLACES)) ?? Number.POSITIVE_INFINITY);
    const known = before.filter(({ place }) => hashes.has(place));
    const have = new Set(known.map(({ place }) => place));
    const absent = [...hashes.keys()].filter((place) => !isNew(place) && !have.has(place));
    const older = await linesAt(store, kind, files, absent);
    return new RestLines(
      store,
      kind,
      files,
      parts,
      [...known, ...older].sort(byPlace),
      [...hashes.keys()].filter(isNew).sort((left, right) => left - right),
      wanted,
    );
  }

  /** In the order of their places. */
  async *read(): AsyncGenerator<PickedLine, void, undefined> {
    let next = 0;
    for await (const line of pickLines(this.#parts, this.#places, this.marked)) {
      for (; (this.#before[next]?.place ?? line.place) < line.place; next += 1) yield this.#older(next);
      if (line.wanted) this.#taken.push(line);
      yield line;
    }
    for (; next < this.#before.length; next += 1) yield this.#older(next);
  }

  #older(index: number): PickedLine {
    const line = this.#before[index];
    if (line === undefined) throw new RangeError(`rest-lines: expected a line, found none at ${index}`);
    this.#taken.push(line);
    return { ...line, file: this.#files[Math.floor(line.place / FILE_PLACES)] ?? '', wanted: true };
  }

  /** The line at a place, as it was read, shows this id. */
  readonly note = (place: number, id: string | null): void => {
    if (id !== null) this.#told.set(place, id);
  };

  /** In its JSON form. */
  toldAt(place: number): string | undefined {
    return this.#told.get(place);
  }

  /** Throws UnlikeRows where a line that was read does not show the id by which it was staged. */
  async holdToHashes(): Promise<void> {
    const store = this.#store;
    await store.run('CREATE OR REPLACE TABLE told (h UBIGINT, id VARCHAR)');
    await store.append(
      'told',
      [...this.#wanted.hashes].map(([place, hash]) => [hash, this.#told.get(place) ?? null]),
    );
    const [count] = await store.rows(
      'SELECT count(*)::INTEGER AS unlike FROM told WHERE h IS DISTINCT FROM text_hash(id)',
      z.object({ unlike: z.number() }),
    );
    if (count?.unlike !== 0) throw new UnlikeRows();
  }

  get count(): number {
    return this.#taken.length;
  }

  /** Of these, the lines of which nothing was accepted are staged again by the next judgement. */
  async keep(store: Store): Promise<void> {
    await keepLines(store, this.#kind, this.#taken, (place) => this.#wanted.rest.has(place));
    await this.marked.keep(store, this.#kind);
  }
}

function byPlace(left: PlacedLine, right: PlacedLine): number {
  return left.place - right.place;
}
