import { TEXT_KINDS as KINDS } from '../../core/call-kind.ts';
import { CALL_SCHEMA, INTENT_SCHEMA } from '../../core/ledger-lines.ts';
import type { Store } from './open-store.ts';
import { sqlLines, sqlText } from './sql-text.ts';

/** Fields of rows and intents that the acceptance looks at; `at` is an intent's. */
const COLUMNS = `{schema: 'VARCHAR', call_id: 'JSON', logical_id: 'JSON', attempt: 'JSON', kind: 'VARCHAR', model: 'JSON',
  "at": 'JSON', started_at: 'JSON', end_ms: 'JSON', out_chars: 'JSON', outcome: 'VARCHAR', request_id: 'JSON',
  request_ids: 'JSON', max_tokens: 'JSON', worst_case_usd: 'JSON', service_tier: 'VARCHAR',
  usage: 'STRUCT(input JSON, output JSON, cache_read JSON, cache_write JSON, reasoning JSON)', tools: 'JSON'}`;

const TEXT_KINDS = KINDS.map(sqlText).join(', ');

/** Fields that may be null or not told, with the columns that they are read into. */
const OPTIONAL = {
  n_read: ['tokens', 'usage.cache_read'],
  n_write: ['tokens', 'usage.cache_write'],
  n_reasoning: ['tokens', 'usage.reasoning'],
  max_tokens: ['whole', 'max_tokens'],
  worst: ['usd', 'worst_case_usd'],
} as const;
const OPTIONALS = Object.entries(OPTIONAL);

/**
 * Stages every line of a ledger file as a row of table `calls`, behind those that it has if `behind`. `fit` marks rows of text calls that ended well and
 * whose fields were surely read as the loader reads them; nothing else of the others is used than their ids. Ids are
 * kept in their JSON form. Throws `store_unreadable` where a line is not JSON: nothing can be accepted then.
 */
export async function importCalls(store: Store, file: string, behind: boolean): Promise<void> {
  const into = behind ? 'INSERT INTO calls' : 'CREATE OR REPLACE TABLE calls AS';
  await store.run(`${into} SELECT * EXCLUDE (plain, ${OPTIONALS.map(([name]) => `no_${name}`).join(', ')}),
    -- Each field is read once: what is null was told so or could not be read.
    COALESCE(is_row AND plain AND request IS NOT NULL AND other_requests IS NULL AND started_ms IS NOT NULL
      AND end_ms IS NOT NULL AND NOT again AND n_in IS NOT NULL AND n_out IS NOT NULL
      AND ${OPTIONALS.map(([name]) => `(no_${name} OR ${name} IS NOT NULL)`).join(' AND ')}, false) AS fit
    FROM (SELECT
      call_id::VARCHAR AS call_id,
      COALESCE(schema = ${sqlText(CALL_SCHEMA)}, false) AS is_row,
      COALESCE(schema = ${sqlText(INTENT_SCHEMA)}, false) AS is_intent,
      filled(request_id) AS request,
      CASE WHEN request_ids::VARCHAR <> '[' || request_id::VARCHAR || ']' AND request_ids::VARCHAR <> '[]'
        OR request_id IS NULL THEN request_ids::VARCHAR END AS other_requests,
      hash(logical_id::VARCHAR) AS logical,
      attempt::VARCHAR IS DISTINCT FROM '1' AS again,
      kind,
      model::VARCHAR AS model,
      instant_ms(COALESCE(started_at, "at")) AS started_ms,
      ms(end_ms) AS end_ms,
      tokens(usage.input) AS n_in, tokens(usage.output) AS n_out,
      ${OPTIONALS.map(([name, [macro, field]]) => `${macro}(${field}) AS ${name}, ${field} IS NULL AS no_${name}`).join(',\n      ')},
      service_tier IS NOT NULL AS tier_told, tools IS NOT NULL AS tools_told,
      -- A price may depend on the tier of service, and tools cost by themselves.
      outcome = 'ok' AND kind IN (${TEXT_KINDS}) AND starts_with(call_id::VARCHAR, '"')
        AND starts_with(model::VARCHAR, '"') AND model::VARCHAR <> '""' AND whole(out_chars) > 0
        AND (service_tier IS NULL OR service_tier = 'default') AND (tools IS NULL OR tools::VARCHAR = '{}') AS plain
      FROM ${sqlLines([file], COLUMNS)})`);
}
