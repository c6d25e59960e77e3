import { z } from 'zod';
import type { LineKind } from '../../ledger/store/kept-lines.ts';
import { keepLines, MarkedLines } from '../../ledger/store/kept-lines.ts';
import { FILE_PLACES, type LinePart, type PlacedLine } from '../../ledger/store/line-part.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import { type PickedLine, pickLines } from '../../ledger/store/pick-lines.ts';
import { UnlikeRows } from '../../ledger/store/rest-ledger.ts';
import { linesAt } from './recall-touched.ts';

export interface WantedLines {
  /** Of lines of which nothing was accepted: the id, in its JSON form, by their place. */
  readonly ids: ReadonlyMap<number, string | null>;
  /** Of the lines of witnesses: the hash of that id. */
  readonly hashes: ReadonlyMap<number, bigint>;
  /** Their ids, as they are read. */
  readonly told: Map<number, string>;
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
    const { ids, hashes } = wanted;
    const begins = new Map(parts.map(({ place }) => [Math.floor(place / FILE_PLACES), place]));
    const isNew = (place: number): boolean =>
      place >= (begins.get(Math.floor(place / FILE_PLACES)) ?? Number.POSITIVE_INFINITY);
    const known = before.filter(({ place }) => ids.has(place) || hashes.has(place));
    const have = new Set(known.map(({ place }) => place));
    const absent = [...hashes.keys()].filter((place) => !isNew(place) && !have.has(place));
    const older = await linesAt(store, kind, files, absent);
    return new RestLines(
      store,
      kind,
      files,
      parts,
      [...known, ...older].sort(byPlace),
      [...ids.keys(), ...hashes.keys()].filter(isNew).sort((left, right) => left - right),
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

  /** Throws UnlikeRows where a witness' line does not show its id. */
  async holdToHashes(): Promise<void> {
    const { hashes, told } = this.#wanted;
    const store = this.#store;
    await store.run('CREATE OR REPLACE TABLE told (h UBIGINT, id VARCHAR)');
    await store.append(
      'told',
      [...hashes].map(([place, hash]) => [hash, JSON.stringify(told.get(place) ?? null)]),
    );
    const [count] = await store.rows(
      'SELECT count(*)::INTEGER AS unlike FROM told WHERE hash(id) <> h',
      z.object({ unlike: z.number() }),
    );
    if (count?.unlike !== 0) throw new UnlikeRows();
  }

  get count(): number {
    return this.#taken.length;
  }

  /** Of these, the lines of which nothing was accepted are staged again by the next judgement. */
  async keep(store: Store): Promise<void> {
    await keepLines(store, this.#kind, this.#taken, (place) => this.#wanted.ids.has(place));
    await this.marked.keep(store, this.#kind);
  }
}

function byPlace(left: PlacedLine, right: PlacedLine): number {
  return left.place - right.place;
}
