import { z } from 'zod';
import { USAGE_RECORD_SCHEMA } from '../../contracts/usage-lines.ts';
import type { Store } from './open-store.ts';
import { sqlLines, sqlText } from './sql-text.ts';

const RECORD = `STRUCT(id JSON, request_id JSON, created_at JSON, model JSON, result VARCHAR, billing_status VARCHAR,
  amount JSON, reserved_amount JSON, refunded_amount JSON, input_tokens JSON, output_tokens JSON,
  cache_read_tokens JSON, cache_write_tokens JSON, usage_estimated JSON, pricebook_id JSON, pricing_version JSON)`;

const WRAPPER = `schema: 'VARCHAR', sweep: 'JSON', by_request_id: 'JSON', pass: 'JSON', key_fp: 'JSON', currency: 'JSON'`;

/** The reads by which is judged. */
export interface JudgedReads {
  readonly sweep: number;
  /** The walks of that sweep whose records count; null where its lines name none. */
  readonly passes: readonly number[] | null;
  /** Fingerprint of the key whose records it read; null where its lines name none. */
  readonly key_fp: string | null;
}

/**
 * Stages lines of usage/records.ndjson as rows of table `records`, behind those that it has if `behind`. `judged` marks
 * those of the sweep by which is judged, `fit` those that are settled and whose fields were surely read as the judges
 * read them. Throws as `importCalls` does.
 */
export async function importRecords(
  store: Store,
  file: string,
  behind: boolean,
  { sweep, passes, key_fp }: JudgedReads,
): Promise<void> {
  const into = behind ? 'INSERT INTO records' : 'CREATE OR REPLACE TABLE records AS';
  const columns = `{${WRAPPER}, record: '${RECORD}'}`;
  const walks =
    passes === null
      ? ''
      : ` AND (pass IS NULL OR pass::VARCHAR IN (${passes.map((pass) => `'${pass}'`).join(', ')}))`;
  await store.run(`${into} SELECT * EXCLUDE (named),
    COALESCE(named AND settled AND request_h IS NOT NULL AND created_s IS NOT NULL AND amount IS NOT NULL
      AND reserved IS NOT NULL AND refunded IS NOT NULL AND r_in IS NOT NULL AND r_out IS NOT NULL
      AND r_read IS NOT NULL AND r_write IS NOT NULL, false) AS fit
    FROM (SELECT
      filled_hash(record.request_id) AS request_h,
      COALESCE(sweep::VARCHAR = '${sweep}' AND by_request_id::VARCHAR = 'false'${walks}, false) AS judged,
      whole(sweep) AS sweep,
      whole(pass) AS pass,
      by_request_id::VARCHAR IS DISTINCT FROM 'false' AS single,
      record.billing_status = 'settled' AS settled,
      record.model::VARCHAR AS record_model,
      whole(record.created_at) AS created_s,
      usd(record.amount) AS amount, usd(record.reserved_amount) AS reserved, usd(record.refunded_amount) AS refunded,
      tokens(record.input_tokens) AS r_in, tokens(record.output_tokens) AS r_out,
      tokens(record.cache_read_tokens) AS r_read, tokens(record.cache_write_tokens) AS r_write,
      record.pricebook_id::VARCHAR AS book, record.pricing_version::VARCHAR AS version,
      schema = ${sqlText(USAGE_RECORD_SCHEMA)} AND record.result = 'completed'
        AND record.usage_estimated::VARCHAR = 'false' AND filled(record.id) IS NOT NULL
        AND starts_with(record.model::VARCHAR, '"') AND key_fp::VARCHAR IS NOT DISTINCT FROM ${key_fp === null ? 'NULL' : sqlText(JSON.stringify(key_fp))}
        AND (currency IS NULL OR currency::VARCHAR = '"USD"') AS named
      FROM ${sqlLines([file], columns)})`);
}

/**
 * Table `changed_requests`: requests whose record was not served with the same content each time, by the SHA-256 of its
 * text. Gives whether any of these files' lines is of another read than those by which is judged.
 */
export async function findChanged(store: Store, files: readonly string[]): Promise<boolean> {
  await store.run('CREATE OR REPLACE TABLE changed_requests (h UBIGINT)');
  const [counted] = await store.rows(
    'SELECT count(*) FILTER (NOT judged)::INTEGER AS unjudged FROM records',
    z.object({ unjudged: z.number() }),
  );
  if (counted === undefined || counted.unjudged === 0) return false;
  await store.run(`INSERT INTO changed_requests SELECT hash(json_extract(record, '$.request_id')::VARCHAR) AS h
    FROM ${sqlLines(files, "{record: 'JSON'}")}
    GROUP BY h HAVING min(sha256(record::VARCHAR)) <> max(sha256(record::VARCHAR))`);
  return true;
}
