import { CALL_SCHEMA, INTENT_SCHEMA } from '../../contracts/schema-names.ts';
import { TEXT_KINDS as KINDS } from '../../core/call-kind.ts';
import type { Store } from './open-store.ts';
import { sqlLines, sqlText } from './sql-text.ts';

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
