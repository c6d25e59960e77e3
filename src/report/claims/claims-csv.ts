import type { ExplainedRow } from '../explain/explanation-schema.ts';
import { csvLine } from '../words/csv-line.ts';
import { findingTitle } from '../words/finding-title.ts';
import type { RowClaim } from './claimable.ts';
import type { LetterKind } from './untold-words.ts';

export interface ExplainedClaim extends RowClaim {
  readonly explained: ExplainedRow;
}

type Column = readonly [string, (claim: ExplainedClaim) => string | null];

const AMOUNTS: { readonly [K in LetterKind]: readonly Column[] } = {
  claim: [
    ['claim_id', ({ claim }) => claim.id],
    ['claimed_usd', ({ claim }) => claim.amount],
    ['of_which_held_usd', ({ claim }) => claim.held],
  ],
  question: [
    ['question_id', ({ claim }) => claim.id],
    ['held_usd', ({ claim }) => claim.held],
  ],
};

const COLUMNS: readonly Column[] = [
  ['cause', ({ finding }) => findingTitle(finding)],
  ['class', ({ claim }) => claim.class],
  ['rule', ({ finding }) => finding.rule],
  ['request_id', ({ claim }) => claim.request_id],
  ['record_ids', ({ claim }) => claim.records.map(({ id }) => id).join(' ')],
  ['model', ({ claim }) => claim.model],
  ['at', ({ explained }) => momentOf(explained)],
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

/** When a request was sent, as far as its call or its record tells. */
export function momentOf({ call, records }: ExplainedRow): string | null {
  return call?.started_at ?? records[0]?.created_at ?? null;
}

/** RFC 4180, an empty cell where nothing is known. Cells are masked before their quotes are doubled. */
export function claimsCsv(
  kind: LetterKind,
  claims: readonly ExplainedClaim[],
  mask: (text: string) => string,
): string {
  const columns = [...AMOUNTS[kind], ...COLUMNS];
  const rows = claims.map((claim) => columns.map(([, read]) => mask(read(claim) ?? '')));
  return [columns.map(([name]) => name), ...rows].map(csvLine).join('');
}
