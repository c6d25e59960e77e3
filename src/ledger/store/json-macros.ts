import type { Store } from './open-store.ts';

/**
 * How a field of a line is read. DuckDB's typed columns take `"12"` for 12 and round what does not fit, so every field
 * that is judged comes as the JSON text of its value, and counts only where that text has the one form that reads the
 * same everywhere; any other one is NULL.
 */
const MACROS = [
  // A count: plain digits, below 10^12.
  `whole(x) AS ${plainDigits('BIGINT', 12)}`,
  // Tokens of one call: plain digits, below 10^9, so that prices of them may be worked out in 64 bits.
  `tokens(x) AS ${plainDigits('INTEGER', 9)}`,
  // USD: a text in plain decimal notation with at most 12 decimals, below a million.
  `usd(x) AS CASE WHEN regexp_full_match(x::VARCHAR, '"[0-9]{1,6}(\\.[0-9]{1,12})?"')
     THEN TRY_CAST(substr(x::VARCHAR, 2, strlen(x::VARCHAR) - 2) AS DECIMAL(18,12)) END`,
  // Milliseconds with decimals.
  `ms(x) AS CASE WHEN regexp_full_match(x::VARCHAR, '[0-9]{1,12}(\\.[0-9]+)?') THEN TRY_CAST(x::VARCHAR AS DOUBLE) END`,
  // RFC 3339 in UTC with whole milliseconds, as milliseconds since the epoch. A text as long as the format allows has
  // each of its fields in full, where it begins with none of the blanks that are skipped: half the cost of a pattern.
  `instant_ms(x) AS CASE WHEN x::VARCHAR BETWEEN '"20' AND '"21'
     THEN epoch_ms(CASE strlen(x::VARCHAR) WHEN 26 THEN try_strptime(x::VARCHAR, '"%Y-%m-%dT%H:%M:%S.%gZ"')
       WHEN 22 THEN try_strptime(x::VARCHAR, '"%Y-%m-%dT%H:%M:%SZ"') END) END`,
  // A text that is not empty, in its JSON form: equal forms are equal texts.
  `filled(x) AS CASE WHEN starts_with(x::VARCHAR, '"') AND x::VARCHAR <> '""' THEN x::VARCHAR END`,
  // Of null, and of such a text only, there is none: `hash(NULL)` is a number.
  `text_hash(x) AS CASE WHEN x IS NOT NULL THEN hash(x::VARCHAR) END`,
  `filled_hash(x) AS CASE WHEN starts_with(x::VARCHAR, '"') AND x::VARCHAR <> '""' THEN hash(x::VARCHAR) END`,
] as const;

/**
 * A number of at most so many plain digits: one that is at least as large as its text is long. A decimal, an exponent or
 * a sign makes the text longer than the number has digits. To cast it back to a text costs twice as much, a pattern more.
 */
function plainDigits(type: 'BIGINT' | 'INTEGER', most: number): string {
  const least = Array.from({ length: most }, (_, digits) => (digits === 0 ? 0 : 10 ** digits));
  const value = `TRY_CAST(x::VARCHAR AS ${type})`;
  return `CASE WHEN ${value} >= [${least.join(', ')}][strlen(x::VARCHAR)] THEN ${value} END`;
}

export async function createJsonMacros(store: Store): Promise<void> {
  for (const macro of MACROS) await store.run(`CREATE OR REPLACE TEMP MACRO ${macro}`);
}
