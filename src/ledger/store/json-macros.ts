import type { Store } from './open-store.ts';

/**
 * How a field of a line is read. DuckDB's typed columns take `"12"` for 12 and round what does not fit, so every field
 * that is judged comes as the JSON text of its value, and counts only where that text has the one form that reads the
 * same everywhere; any other one is NULL.
 */
const MACROS = [
  // A count: plain digits, at most 10^12. What casts back to the same text is written so; a pattern costs twice as much.
  `whole(x) AS CASE WHEN strlen(x::VARCHAR) <= 12 AND TRY_CAST(x::VARCHAR AS UBIGINT)::VARCHAR = x::VARCHAR
     THEN TRY_CAST(x::VARCHAR AS BIGINT) END`,
  // Tokens of one call: plain digits, below 10^9, so that prices of them may be worked out in 64 bits.
  `tokens(x) AS CASE WHEN strlen(x::VARCHAR) <= 9 AND TRY_CAST(x::VARCHAR AS UINTEGER)::VARCHAR = x::VARCHAR
     THEN TRY_CAST(x::VARCHAR AS INTEGER) END`,
  // USD: a text in plain decimal notation with at most 12 decimals, below a million.
  `usd(x) AS CASE WHEN regexp_full_match(x::VARCHAR, '"[0-9]{1,6}(\\.[0-9]{1,12})?"')
     THEN TRY_CAST(substr(x::VARCHAR, 2, strlen(x::VARCHAR) - 2) AS DECIMAL(18,12)) END`,
  // Milliseconds with decimals.
  `ms(x) AS CASE WHEN regexp_full_match(x::VARCHAR, '[0-9]{1,12}(\\.[0-9]+)?') THEN TRY_CAST(x::VARCHAR AS DOUBLE) END`,
  // RFC 3339 in UTC with whole milliseconds, as milliseconds since the epoch.
  `instant_ms(x) AS CASE
     WHEN regexp_full_match(x::VARCHAR, '"20[0-9]{2}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\\.[0-9]{3})?Z"')
     THEN epoch_ms(TRY_CAST(substr(x::VARCHAR, 2, strlen(x::VARCHAR) - 3) AS TIMESTAMP)) END`,
  // A text that is not empty, in its JSON form: equal forms are equal texts.
  `filled(x) AS CASE WHEN starts_with(x::VARCHAR, '"') AND x::VARCHAR <> '""' THEN x::VARCHAR END`,
] as const;

export async function createJsonMacros(store: Store): Promise<void> {
  for (const macro of MACROS) await store.run(`CREATE OR REPLACE TEMP MACRO ${macro}`);
}
