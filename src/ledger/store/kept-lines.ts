import { open } from 'node:fs/promises';
import { z } from 'zod';
import { FILE_PLACES, type LinePart, type PlacedLine } from './line-part.ts';
import type { Columns, Store } from './open-store.ts';
import type { LineMarks } from './pick-lines.ts';

/** Of which files: of calls, or of records. */
export type LineKind = 'calls' | 'records';

/** Tables of the kept database: lines with their text, and where each some hundredth line of a file begins. */
export async function createKeptLines(store: Store): Promise<void> {
  await store.run(
    'CREATE TABLE kept.lines (kind VARCHAR, place BIGINT, number BIGINT, text VARCHAR, rest BOOLEAN)',
  );
  await store.run('CREATE TABLE kept.marks (kind VARCHAR, place BIGINT, number BIGINT, byte BIGINT)');
}

/** In the order of their places: those of which nothing was accepted, or those at `places`. */
export async function readKeptLines(
  store: Store,
  kind: LineKind,
  places: readonly number[] | null = null,
): Promise<PlacedLine[]> {
  if (places !== null) await asked(store, places);
  const sql = `SELECT place::DOUBLE, number::DOUBLE, text FROM kept.lines
    WHERE kind = '${kind}' AND ${places === null ? 'rest' : 'place IN (SELECT place FROM asked)'} ORDER BY place`;
  const lines: PlacedLine[] = [];
  for await (const line of store.stream(sql, linesOf)) lines.push(line);
  return lines;
}

function* linesOf([places = [], numbers = [], texts = []]: Columns): Generator<PlacedLine> {
  for (const [index, place] of places.entries()) {
    const [number, text] = [numbers[index], texts[index]];
    if (typeof place === 'number' && typeof number === 'number' && typeof text === 'string')
      yield { place, number, text };
  }
}

/** Keeps these lines in place of those that were kept; what is the same is not written again. */
export async function keepLines(
  store: Store,
  kind: LineKind,
  lines: readonly PlacedLine[],
  isRest: (place: number) => boolean,
): Promise<void> {
  const kept = new Map<number, boolean>();
  const sql = `SELECT place::DOUBLE, rest FROM kept.lines WHERE kind = '${kind}'`;
  for await (const [place, rest] of store.stream(sql, restOf)) kept.set(place, rest);
  const added = lines.filter(({ place }) => kept.get(place) !== isRest(place));
  const places = new Set(lines.map(({ place }) => place));
  const gone = [...kept.keys()].filter((place) => !places.has(place));
  await asked(store, [...gone, ...added.map(({ place }) => place)]);
  await store.run(`DELETE FROM kept.lines WHERE kind = '${kind}' AND place IN (SELECT place FROM asked)`);
  await store.append(
    'kept.lines',
    added.map(({ place, number, text }) => [kind, BigInt(place), BigInt(number), text, isRest(place)]),
  );
}

function* restOf([places = [], rests = []]: Columns): Generator<readonly [number, boolean]> {
  for (const [index, place] of places.entries())
    if (typeof place === 'number') yield [place, rests[index] === true];
}

/** Table `asked` of these places. */
async function asked(store: Store, places: readonly number[]): Promise<void> {
  await store.run('CREATE OR REPLACE TABLE asked (place BIGINT)');
  await store.append(
    'asked',
    places.map((place) => [BigInt(place)]),
  );
}

/** How many lines, and how many that are not empty, each part has. */
export interface PartCount {
  readonly part: LinePart;
  readonly lines: number;
  readonly rows: number;
}

/** Takes down where lines begin while they are counted. */
export class MarkedLines implements LineMarks {
  readonly counts: PartCount[] = [];
  readonly #marks: (readonly [number, number, number])[] = [];

  mark(place: number, number: number, at: number): void {
    this.#marks.push([place, number, at]);
  }

  ended(part: LinePart, lines: number, rows: number): void {
    this.counts.push({ part, lines, rows });
  }

  async keep(store: Store, kind: LineKind): Promise<void> {
    await store.append(
      'kept.marks',
      this.#marks.map(([place, number, at]) => [kind, BigInt(place), BigInt(number), BigInt(at)]),
    );
  }
}

const stretch = z.object({
  place: z.number(),
  number: z.number(),
  at: z.number(),
  end: z.number().nullable(),
});

/** Lines of files of which marks are kept, by their places. */
export async function fetchLines(
  store: Store,
  kind: LineKind,
  files: readonly string[],
  places: readonly number[],
): Promise<readonly PlacedLine[]> {
  if (places.length === 0) return [];
  await asked(store, places);
  const stretches = await store.rows(
    `SELECT DISTINCT marks.place::DOUBLE AS place, number::DOUBLE AS number, byte::DOUBLE AS "at", after::DOUBLE AS "end"
     FROM asked ASOF JOIN (SELECT *, lead(byte) OVER (PARTITION BY place // ${FILE_PLACES} ORDER BY place) AS after
       FROM kept.marks WHERE kind = '${kind}') AS marks ON asked.place >= marks.place ORDER BY ALL`,
    stretch,
  );
  const wanted = new Set(places);
  const lines: PlacedLine[] = [];
  for (const { place, number, at, end } of stretches) {
    const file = files[Math.floor(place / FILE_PLACES)];
    if (file === undefined) continue;
    let [row, line] = [place, number];
    for (const text of (await textBetween(file, at, end)).split('\n')) {
      if (text.trim() !== '') {
        if (wanted.has(row)) lines.push({ place: row, number: line, text });
        row += 1;
      }
      line += 1;
    }
  }
  return lines;
}

async function textBetween(file: string, at: number, end: number | null): Promise<string> {
  const handle = await open(file);
  try {
    const to = end ?? (await handle.stat()).size;
    const bytes = Buffer.alloc(Math.max(to - at, 0));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, at);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
