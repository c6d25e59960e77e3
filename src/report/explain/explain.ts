import type { Finding } from '../../contracts/finding.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { type BillRow, billRows } from '../rows/bill-row.ts';
import type { UsedBook } from '../sections/evidence-section.ts';
import { explainFinding, explainRow } from './explain-row.ts';
import { EXPLANATION_SCHEMA, type Explanation } from './explanation-schema.ts';

export interface ExplainInput {
  readonly run_id: string;
  readonly basis: 'ledger' | 'records';
  readonly reconciliation: Reconciliation;
  readonly books: readonly UsedBook[];
}

/** Of a finding over many rows this many are shown in full. */
const MOST_ROWS = 3;

/** What a request id, a call id, a record id, a row id or the id of a finding stands for; null where nothing has that id. */
export function explain(input: ExplainInput, asked: string): Explanation | null {
  const rows = billRows(input.run_id, input.reconciliation);
  const finding = input.reconciliation.findings.find(({ id }) => id === asked) ?? null;
  const found = finding === null ? rows.filter((row) => idsOf(row).includes(asked)) : rowsOf(finding, rows);
  if (finding === null && found.length === 0) return null;
  const shown = finding === null ? found : found.slice(0, MOST_ROWS);
  return {
    schema: EXPLANATION_SCHEMA,
    run_id: input.run_id,
    asked,
    basis: input.basis,
    finding: finding === null ? null : explainFinding(finding),
    rows: shown.map((row) => explainRow(row, input.books)),
    further_rows: found.length - shown.length,
  };
}

/** Everything that can be asked for, for a misspelt id. */
export function explainableIds({ run_id, reconciliation }: ExplainInput): readonly string[] {
  const ids = [
    ...billRows(run_id, reconciliation).flatMap(idsOf),
    ...reconciliation.findings.map(({ id }) => id),
  ];
  return [...new Set(ids)];
}

function idsOf({ id, call, sum_of, records }: BillRow): readonly string[] {
  return [
    id,
    ...[call?.call_id, call?.request_id].filter((known) => known !== undefined && known !== null),
    ...(call?.row?.request_ids ?? []),
    ...sum_of,
    ...records.flatMap((record) => [record.id, record.request_id]),
  ].filter((known) => known !== '');
}

/** The rows that a finding is told at; of one over many rows, those of the findings beneath it. */
function rowsOf(finding: Finding, rows: readonly BillRow[]): readonly BillRow[] {
  const own = rows.filter(({ findings }) =>
    findings.some(({ id, group }) => id === finding.id || group === finding.id),
  );
  if (own.length > 0) return own;
  const evidence = new Set(finding.evidence);
  return rows.filter(
    ({ call, records, sum_of }) =>
      call === null &&
      (sum_of.some((id) => evidence.has(`call:${id}`)) ||
        records.some(({ id }) => evidence.has(`record:${id}`))),
  );
}
