import { TITLE_OF } from '../../core/fault-class.ts';
import type { Finding } from '../../core/finding.ts';
import type { JudgedCall, RecordFacts } from '../../core/reconciliation.ts';
import { instantOfSecond } from '../../core/time.ts';
import type { BillRow } from '../rows/bill-row.ts';
import type { UsedBook } from '../summary-section.ts';
import type { ExplainedFinding, ExplainedRow } from './explanation-schema.ts';
import { REFUTED_BY, VERDICT_REFUTED_BY } from './refuted-by.ts';

/** One row of the bill with everything that its judgement rests on; `books` are those of its folder. */
export function explainRow(row: BillRow, books: readonly UsedBook[]): ExplainedRow {
  const { call, money, findings, records } = row;
  return {
    row_id: row.id,
    call: call === null || call.call_id === null ? null : callOf(call),
    sum_of: [...row.sum_of],
    records: records.map(recordOf),
    match: call === null ? null : { pass: call.match, score: call.score, why: call.match_why },
    price: {
      book: bookOf(call?.record ?? records[0] ?? null, books),
      grade: call?.grade ?? null,
      tier: call?.tier ?? null,
      lines: (call?.lines ?? []).map(({ meter, units, price, per, subtotal }) => ({
        meter,
        units,
        price,
        per,
        subtotal,
      })),
    },
    expected: call?.expected ?? money?.expected ?? null,
    expected_lo: call?.expected_lo ?? null,
    expected_hi: call?.expected_hi ?? null,
    charged: money?.charged ?? call?.charged ?? null,
    difference: money?.difference ?? null,
    certain_over: money?.certain_over ?? null,
    certain_under: money?.certain_under ?? null,
    open: money?.open ?? null,
    verdict: call?.verdict ?? null,
    why: call?.why ?? 'calls without an id, judged by their common sum',
    findings: findings.map(explainFinding),
    refuted_by:
      findings.length > 0 || call === null ? VERDICT_REFUTED_BY.finding : VERDICT_REFUTED_BY[call.verdict],
  };
}

export function explainFinding(finding: Finding): ExplainedFinding {
  return {
    id: finding.id,
    class: finding.class,
    title: TITLE_OF[finding.class],
    severity: finding.severity,
    confidence: finding.confidence,
    direction: finding.direction,
    delta_exact: finding.delta_exact,
    delta_min: finding.delta_min,
    delta_max: finding.delta_max,
    rule: finding.rule,
    rows: finding.rows,
    group: finding.group,
    provisional: finding.provisional,
    deadline_at: finding.deadline_at,
    evidence: [...finding.evidence],
    explanation: finding.explanation,
    next_step: finding.next_step,
    refuted_by: REFUTED_BY[finding.class],
  };
}

function callOf({
  call_id,
  kind,
  model,
  request_id,
  started_at,
  outcome,
  row,
}: JudgedCall): ExplainedRow['call'] {
  const usage = row?.usage ?? null;
  const units = row?.units ?? null;
  return {
    call_id,
    kind,
    model,
    request_id,
    started_at,
    outcome,
    status: row?.status ?? null,
    finish: row?.finish ?? null,
    end_ms: row?.end_ms ?? null,
    usage:
      usage === null
        ? null
        : {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            reasoning: usage.reasoning,
          },
    units:
      units === null
        ? null
        : {
            images: units.images,
            size: units.size,
            quality: units.quality,
            seconds: units.seconds,
            resolution: units.resolution,
          },
  };
}

function recordOf(record: RecordFacts): ExplainedRow['records'][number] {
  return {
    id: record.id,
    request_id: record.request_id,
    created_at: instantOfSecond(record.created_at),
    model: record.model,
    result: record.result,
    billing_status: record.billing_status,
    amount: record.amount.text,
    reserved_amount: record.reserved.text,
    refunded_amount: record.refunded.text,
    input_tokens: record.input?.toString() ?? null,
    output_tokens: record.output?.toString() ?? null,
    cache_read_tokens: record.cache_read?.toString() ?? null,
    cache_write_tokens: record.cache_write?.toString() ?? null,
    usage_estimated: record.usage_estimated,
    pricebook_id: record.pricebook_id,
    pricing_version: record.pricing_version,
  };
}

/** The book whose version the record names; where none tells its version, the only one there is. */
export function bookOf(
  record: Pick<RecordFacts, 'pricebook_id' | 'pricing_version'> | null,
  books: readonly UsedBook[],
): { sha256: string; id: string | null; version: string | null } | null {
  const named = books.find(
    ({ id, version }) => id === record?.pricebook_id && version === record?.pricing_version,
  );
  const book = named ?? (books.length === 1 ? books[0] : undefined);
  return book === undefined ? null : { sha256: book.sha256, id: book.id, version: book.version };
}
