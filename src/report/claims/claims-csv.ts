import { TITLE_OF } from '../../core/fault-class.ts';
import { csvLine } from '../csv-line.ts';
import type { ExplainedRow } from '../explain/explanation-schema.ts';
import type { RowClaim } from './claimable.ts';

export interface ExplainedClaim extends RowClaim {
  readonly explained: ExplainedRow;
}

const COLUMNS: readonly (readonly [string, (claim: ExplainedClaim) => string | null])[] = [
  ['claim_id', ({ claim }) => claim.id],
  ['claimed_usd', ({ claim }) => claim.amount],
  ['of_which_held_usd', ({ claim }) => claim.held],
  ['cause', ({ claim }) => TITLE_OF[claim.class]],
  ['class', ({ claim }) => claim.class],
  ['request_id', ({ claim }) => claim.request_id],
  ['record_ids', ({ claim }) => claim.records.map(({ id }) => id).join(' ')],
  ['model', ({ claim }) => claim.model],
  ['at', ({ explained }) => explained.call?.started_at ?? explained.records[0]?.created_at ?? null],
  ['charged_usd', ({ explained }) => explained.charged],
  ['due_usd', ({ explained }) => explained.expected],
  ['due_at_most_usd', ({ explained }) => explained.expected_hi],
  ['pricebook_id', ({ explained }) => explained.records[0]?.pricebook_id ?? null],
  ['pricing_version', ({ explained }) => explained.records[0]?.pricing_version ?? null],
  ['pricebook_sha256', ({ explained }) => explained.price.book?.sha256 ?? null],
  [
    'explanation',
    ({ claim, explained }) =>
      explained.findings.find(({ id }) => id === claim.finding)?.explanation ?? explained.why,
  ],
];

/** claims.csv: RFC 4180, an empty cell where nothing is known. Cells are masked before their quotes are doubled. */
export function claimsCsv(claims: readonly ExplainedClaim[], mask: (text: string) => string): string {
  const rows = claims.map((claim) => COLUMNS.map(([, read]) => mask(read(claim) ?? '')));
  return [COLUMNS.map(([name]) => name), ...rows].map(csvLine).join('');
}
