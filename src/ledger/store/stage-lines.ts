import { createReadStream, createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { CALL_SCHEMA, INTENT_SCHEMA } from '../../contracts/schema-names.ts';
import { TEXT_KINDS as KINDS } from '../../core/call-kind.ts';
import type { LineKind } from './kept-lines.ts';
import type { KnownFile } from './known-file.ts';
import { FILE_PLACES, type LinePart, type PlacedLine } from './line-part.ts';
import type { Store } from './open-store.ts';
import { sqlLines, sqlText } from './sql-text.ts';
import { type TornFile, withoutTornTails } from './torn-tail.ts';

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

/** What is to be read of files of which `known` (the first ones, in their order) were read before. */
export interface OpenParts {
  /** Without those that have nothing new. */
  readonly parts: readonly LinePart[];
  readonly torn: readonly TornFile[];
  /** As `WholeFiles`. */
  readonly ended: boolean;
}

/** `name` tells copies in `tempDir` apart. */
export async function openParts(
  files: readonly string[],
  known: readonly KnownFile[],
  tempDir: string,
  name: string,
): Promise<OpenParts> {
  const parts: LinePart[] = [];
  for (const [index, file] of files.entries()) {
    const { bytes = 0, lines = 0, rows = 0 } = known[index] ?? {};
    const place = index * FILE_PLACES + rows;
    if (bytes === 0) parts.push({ path: file, file, place, lines, at: 0 });
    else if ((await stat(file)).size > bytes) {
      const path = join(tempDir, `${name}-${index}.ndjson`);
      await pipeline(createReadStream(file, { start: bytes }), createWriteStream(path));
      parts.push({ path, file, place, lines, at: bytes });
    }
  }
  const whole = await withoutTornTails(
    parts.map(({ path }) => path),
    tempDir,
    name,
  );
  return {
    parts: parts.map((part, index) => ({ ...part, path: whole.files[index] ?? part.path })),
    torn: whole.torn.map((torn) => ({
      ...torn,
      file: parts.find(({ path }) => path === torn.file)?.file ?? torn.file,
    })),
    ended: whole.ended,
  };
}

/** Fields of rows and intents that the acceptance looks at; `at` is an intent's. */
const COLUMNS = `{schema: 'VARCHAR', call_id: 'JSON', logical_id: 'JSON', attempt: 'JSON', kind: 'VARCHAR', model: 'JSON',
  "at": 'JSON', started_at: 'JSON', end_ms: 'JSON', out_chars: 'JSON', outcome: 'VARCHAR', request_id: 'JSON',
  request_ids: 'JSON', service_tier: 'VARCHAR',
  usage: 'STRUCT(input JSON, output JSON, cache_read JSON, cache_write JSON, reasoning JSON)', tools: 'JSON'}`;

/** A kind of text calls by its number: a row costs a byte, and no text is compared. */
export const KIND_NUMBER: ReadonlyMap<string, number> = new Map(
  KINDS.map((kind, index) => [kind, index + 1]),
);
const NUMBERED = [...KIND_NUMBER].map(([kind, number]) => `WHEN ${sqlText(kind)} THEN ${number}`).join(' ');

/** Tokens that may be null or not told, with the columns that they are read into. */
const OPTIONAL = { n_read: 'cache_read', n_write: 'cache_write', n_reasoning: 'reasoning' } as const;
const OPTIONALS = Object.entries(OPTIONAL);

/**
 * Stages every line of a ledger file as a row of table `calls`, behind those that it has if `behind`. `fit` marks rows of text calls that ended well and
 * whose fields were surely read as the loader reads them; nothing else of the others is used than their ids. Of ids the
 * hash of their JSON form is kept: a third of the table, and joined in half the time. Throws `store_unreadable` where a line is not JSON: nothing can be accepted then.
 */
export async function importCalls(store: Store, file: string, behind: boolean): Promise<void> {
  const into = behind ? 'INSERT INTO calls' : 'CREATE OR REPLACE TABLE calls AS';
  await store.run(`${into} SELECT * EXCLUDE (plain, ${OPTIONALS.map(([name]) => `no_${name}`).join(', ')}),
    -- Each field is read once: what is null was told so or could not be read.
    COALESCE(is_row AND plain AND request_h IS NOT NULL AND other_requests IS NULL AND started_ms IS NOT NULL
      AND end_ms IS NOT NULL AND kind IS NOT NULL AND NOT again AND n_in IS NOT NULL AND n_out IS NOT NULL
      AND ${OPTIONALS.map(([name]) => `(no_${name} OR ${name} IS NOT NULL)`).join(' AND ')}, false) AS fit
    FROM (SELECT
      text_hash(call_id) AS call_h,
      COALESCE(schema = ${sqlText(CALL_SCHEMA)}, false) AS is_row,
      COALESCE(schema = ${sqlText(INTENT_SCHEMA)}, false) AS is_intent,
      filled_hash(request_id) AS request_h,
      CASE WHEN request_ids::VARCHAR <> '[' || request_id::VARCHAR || ']' AND request_ids::VARCHAR <> '[]'
        OR request_id IS NULL THEN request_ids::VARCHAR END AS other_requests,
      hash(logical_id::VARCHAR) AS logical,
      attempt::VARCHAR IS DISTINCT FROM '1' AS again,
      CASE kind ${NUMBERED} END::TINYINT AS kind,
      model::VARCHAR AS model,
      instant_ms(COALESCE(started_at, "at")) AS started_ms,
      ms(end_ms) AS end_ms,
      tokens(usage.input) AS n_in, tokens(usage.output) AS n_out,
      ${OPTIONALS.map(([name, field]) => `tokens(usage.${field}) AS ${name}, usage.${field} IS NULL AS no_${name}`).join(',\n      ')},
      service_tier IS NOT NULL AS tier_told, tools IS NOT NULL AS tools_told,
      -- A price may depend on the tier of service, and tools cost by themselves.
      outcome = 'ok' AND starts_with(call_id::VARCHAR, '"')
        AND starts_with(model::VARCHAR, '"') AND model::VARCHAR <> '""' AND whole(out_chars) > 0
        AND (service_tier IS NULL OR service_tier = 'default') AND (tools IS NULL OR tools::VARCHAR = '{}') AS plain
      FROM ${sqlLines([file], COLUMNS)})`);
}
