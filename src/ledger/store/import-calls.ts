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

/** The field could be read, or was told as null or not at all. */
function readOrNull(macro: 'whole' | 'usd', field: string): string {
  return `(${field} IS NULL OR ${macro}(${field}) IS NOT NULL)`;
}

/**
 * Stages every line of ledger files as a row of table `calls`. `fit` marks rows of text calls that ended well and
 * whose fields were surely read as the loader reads them; nothing else of the others is used than their ids. Ids are
 * kept in their JSON form. Throws `store_unreadable` where a line is not JSON: nothing can be accepted then.
 */
export async function importCalls(store: Store, files: readonly string[]): Promise<void> {
  await store.run(`CREATE OR REPLACE TABLE calls AS SELECT * EXCLUDE (text_kind, ok, limits),
    COALESCE(is_row AND ok AND text_kind AND starts_with(call_id, '"') AND starts_with(model, '"') AND model <> '""'
      AND request IS NOT NULL AND other_requests IS NULL AND started_ms IS NOT NULL AND end_ms IS NOT NULL AND NOT again
      AND n_in IS NOT NULL AND n_out IS NOT NULL AND limits, false) AS fit
    FROM (SELECT
      call_id::VARCHAR AS call_id,
      COALESCE(schema = ${sqlText(CALL_SCHEMA)}, false) AS is_row,
      COALESCE(schema = ${sqlText(INTENT_SCHEMA)}, false) AS is_intent,
      filled(request_id) AS request,
      CASE WHEN request_ids::VARCHAR <> '[' || request_id::VARCHAR || ']' AND request_ids::VARCHAR <> '[]'
        OR request_id IS NULL THEN request_ids::VARCHAR END AS other_requests,
      hash(logical_id::VARCHAR) AS logical,
      attempt::VARCHAR IS DISTINCT FROM '1' AS again,
      kind, kind IN (${TEXT_KINDS}) AS text_kind, outcome = 'ok' AS ok,
      model::VARCHAR AS model,
      instant_ms(COALESCE(started_at, "at")) AS started_ms,
      ms(end_ms) AS end_ms,
      whole(usage.input) AS n_in, whole(usage.output) AS n_out,
      whole(usage.cache_read) AS n_read, whole(usage.cache_write) AS n_write,
      whole(usage.reasoning) AS n_reasoning,
      service_tier IS NOT NULL AS tier_told, tools IS NOT NULL AS tools_told,
      whole(max_tokens) AS max_tokens, usd(worst_case_usd) AS worst,
      -- A price may depend on the tier of service, and tools cost by themselves.
      whole(out_chars) > 0 AND (service_tier IS NULL OR service_tier = 'default') AND (tools IS NULL OR tools::VARCHAR = '{}')
        AND ${readOrNull('whole', 'usage.cache_read')} AND ${readOrNull('whole', 'usage.cache_write')}
        AND ${readOrNull('whole', 'usage.reasoning')} AND ${readOrNull('whole', 'max_tokens')} AND ${readOrNull('usd', 'worst_case_usd')} AS limits
      FROM ${sqlLines(files, COLUMNS)})`);
}
