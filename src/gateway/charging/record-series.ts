import { SECONDS_PER_DAY } from '../../core/time.ts';
import type { RecordTable, SortPlace } from './record-columns.ts';
import { RecordSums, type SummedFigures } from './record-sums.ts';

const CHUNK_ROWS = 256;

/** Neighbouring rows of one day, oldest first, and their sums. */
interface Chunk {
  readonly rows: number[];
  sums: RecordSums;
}

/** The records of one UTC day. */
interface Day {
  /** Days since the epoch. */
  readonly day: number;
  readonly sums: RecordSums;
  readonly chunks: Chunk[];
}

interface Position {
  readonly day: number;
  readonly chunk: number;
  readonly row: number;
}

/**
 * Some records in the order (created_at, id) with running sums for each UTC day and for each chunk of neighbours:
 * a page is read from where it starts, and a window is summed from whole days and whole chunks; records are
 * looked at in its two edge chunks only.
 */
export class RecordSeries {
  readonly #columns: RecordTable;
  readonly #days: Day[] = [];

  constructor(columns: RecordTable) {
    this.#columns = columns;
  }

  add(row: number, figures: SummedFigures): void {
    const place = this.#columns.placeOf(row);
    const day = this.#dayFor(dayOf(place.createdAt));
    const chunk = this.#chunkFor(day, place, row);
    chunk.sums.add(figures);
    day.sums.add(figures);
    if (chunk.rows.length > CHUNK_ROWS) this.#split(day, chunk);
  }

  /** The sums go over from the figures that the row had to those that it has now. */
  change(row: number, before: SummedFigures, after: SummedFigures): void {
    const { day, chunk } = this.#holderOf(row);
    for (const sums of [day.sums, chunk.sums]) {
      sums.subtract(before);
      sums.add(after);
    }
  }

  /** Takes a row out that still stands at the place at which it was added. */
  remove(row: number, figures: SummedFigures): void {
    const { day, chunk, position } = this.#holderOf(row);
    chunk.rows.splice(position.row, 1);
    chunk.sums.subtract(figures);
    day.sums.subtract(figures);
    if (chunk.rows.length === 0) day.chunks.splice(position.chunk, 1);
    if (day.chunks.length === 0) this.#days.splice(position.day, 1);
  }

  /** Rows from the newest before `end` down to the last that is not before `start`. */
  *newestFirst(start: number, end: SortPlace): Generator<number, undefined> {
    const from = this.#positionOf(end);
    for (let dayAt = Math.min(from.day, this.#days.length - 1); dayAt >= 0; dayAt -= 1) {
      const chunks = this.#days[dayAt]?.chunks ?? [];
      const firstChunk = dayAt === from.day ? from.chunk : chunks.length - 1;
      for (let chunkAt = Math.min(firstChunk, chunks.length - 1); chunkAt >= 0; chunkAt -= 1) {
        const rows = chunks[chunkAt]?.rows ?? [];
        const count = dayAt === from.day && chunkAt === from.chunk ? from.row : rows.length;
        for (let at = count - 1; at >= 0; at -= 1) {
          const row = rows[at];
          if (row === undefined || this.#columns.createdAtOf(row) < start) return undefined;
          yield row;
        }
      }
    }
    return undefined;
  }

  /** The sums of each UTC day (counted from the epoch) that has records with start ≤ created_at < end. */
  *sumsByDay(start: number, end: number): Generator<readonly [day: number, sums: RecordSums], undefined> {
    for (let at = this.#dayPosition(dayOf(start)); at < this.#days.length; at += 1) {
      const day = this.#days[at];
      if (day === undefined || day.day * SECONDS_PER_DAY >= end) return undefined;
      const sums = this.#sumsOfDay(day, start, end);
      if (sums.records > 0) yield [day.day, sums];
    }
    return undefined;
  }

  #sumsOfDay(day: Day, start: number, end: number): RecordSums {
    if (this.#isInside(day.chunks, start, end)) return day.sums;
    const sums = new RecordSums();
    for (const chunk of day.chunks) {
      if (this.#isInside([chunk], start, end)) sums.addSums(chunk.sums);
      else if (this.#firstTime(chunk) < end && this.#lastTime(chunk) >= start) {
        for (const row of chunk.rows) {
          const createdAt = this.#columns.createdAtOf(row);
          if (createdAt >= start && createdAt < end) sums.add(this.#columns.figuresOf(row));
        }
      }
    }
    return sums;
  }

  #isInside(chunks: readonly Chunk[], start: number, end: number): boolean {
    const [first, last] = [chunks[0], chunks.at(-1)];
    if (first === undefined || last === undefined) return false;
    return this.#firstTime(first) >= start && this.#lastTime(last) < end;
  }

  #firstTime(chunk: Chunk): number {
    return this.#columns.createdAtOf(chunk.rows[0] ?? 0);
  }

  #lastTime(chunk: Chunk): number {
    return this.#columns.createdAtOf(chunk.rows.at(-1) ?? 0);
  }

  #dayFor(number: number): Day {
    const at = this.#dayPosition(number);
    const held = this.#days[at];
    if (held?.day === number) return held;
    const made: Day = { day: number, sums: new RecordSums(), chunks: [] };
    this.#days.splice(at, 0, made);
    return made;
  }

  /** Index of the first day that is not before `number`. */
  #dayPosition(number: number): number {
    const last = this.#days.at(-1);
    if (last !== undefined && last.day < number) return this.#days.length;
    return firstIndex(this.#days.length, (at) => (this.#days[at]?.day ?? 0) >= number);
  }

  /** Puts the row into its chunk of the day and gives the chunk. */
  #chunkFor(day: Day, place: SortPlace, row: number): Chunk {
    const last = day.chunks.at(-1);
    const newest = last?.rows.at(-1);
    const isNewest = newest === undefined || this.#columns.isBefore(newest, place);
    if (last === undefined || (isNewest && last.rows.length >= CHUNK_ROWS)) {
      const made: Chunk = { rows: [row], sums: new RecordSums() };
      day.chunks.push(made);
      return made;
    }
    if (isNewest) {
      last.rows.push(row);
      return last;
    }
    const chunk = day.chunks[this.#chunkPosition(day, place)] ?? last;
    chunk.rows.splice(this.#rowPosition(chunk, place), 0, row);
    return chunk;
  }

  #split(day: Day, chunk: Chunk): void {
    const moved = chunk.rows.splice(CHUNK_ROWS / 2);
    chunk.sums = this.#sumsOf(chunk.rows);
    day.chunks.splice(day.chunks.indexOf(chunk) + 1, 0, { rows: moved, sums: this.#sumsOf(moved) });
  }

  #sumsOf(rows: readonly number[]): RecordSums {
    const sums = new RecordSums();
    for (const row of rows) sums.add(this.#columns.figuresOf(row));
    return sums;
  }

  #holderOf(row: number): { day: Day; chunk: Chunk; position: Position } {
    const place = this.#columns.placeOf(row);
    const position = this.#positionOf(place);
    const day = this.#days[position.day];
    const chunk = day?.chunks[position.chunk];
    if (day === undefined || chunk?.rows[position.row] !== row) {
      throw new RangeError(`record ${this.#columns.idOf(row)} is not in this series`);
    }
    return { day, chunk, position };
  }

  /** Where the first record at or after the place stands; one past the last of its day where all are before. */
  #positionOf(place: SortPlace): Position {
    const number = dayOf(place.createdAt);
    const dayAt = this.#dayPosition(number);
    const day = this.#days[dayAt];
    if (day === undefined) return { day: this.#days.length, chunk: 0, row: 0 };
    if (day.day > number) return { day: dayAt, chunk: 0, row: 0 };
    const chunkAt = this.#chunkPosition(day, place);
    const chunk = day.chunks[chunkAt];
    return { day: dayAt, chunk: chunkAt, row: chunk === undefined ? 0 : this.#rowPosition(chunk, place) };
  }

  /** Index of the first chunk whose last record is not before the place. */
  #chunkPosition(day: Day, place: SortPlace): number {
    return firstIndex(day.chunks.length, (at) => {
      const newest = day.chunks[at]?.rows.at(-1);
      return newest === undefined || !this.#columns.isBefore(newest, place);
    });
  }

  #rowPosition(chunk: Chunk, place: SortPlace): number {
    return firstIndex(chunk.rows.length, (at) => !this.#columns.isBefore(chunk.rows[at] ?? 0, place));
  }
}

/** The UTC day of a Unix timestamp, counted from the epoch. */
export function dayOf(unixSeconds: number): number {
  return Math.floor(unixSeconds / SECONDS_PER_DAY);
}

/** The first index below `count` for which `holds`, which must hold for all behind it; `count` where none does. */
function firstIndex(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
