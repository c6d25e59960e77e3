import type { ChargeLine } from '../../contracts/reconciliation.ts';
import { addDecimal, formatTrimmed, parseDecimal, ZERO } from '../../core/decimal.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, signedUsd, usd } from '../words/figure-text.ts';
import type { ExplainedFinding, ExplainedRow, Explanation } from './explanation-schema.ts';

/** An explanation in lines of plain text. */
export function renderExplanation(explanation: Explanation): readonly string[] {
  const { finding, rows, further_rows } = explanation;
  return [
    ...(finding === null ? [] : findingLines(finding)),
    ...rows.flatMap((row, index) => [
      ...(index > 0 || finding !== null ? [''] : []),
      ...explainedRowLines(row, { basis: explanation.basis, told: finding?.id ?? null }),
    ]),
    ...(further_rows === 0 ? [] : ['', `and ${plural(further_rows, 'more row')} of this finding`]),
  ];
}

/** One row; the finding `told` is told already. */
export function explainedRowLines(
  row: ExplainedRow,
  { basis, told = null }: { readonly basis: Explanation['basis'] | null; readonly told?: string | null },
): readonly string[] {
  const { call, match, findings } = row;
  return [
    ...(call === null ? [line('call', basis === 'records' ? NO_LEDGER : NO_CALL)] : callLines(call)),
    ...(row.sum_of.length === 0 ? [] : [line('calls', row.sum_of.join(', '))]),
    ...(row.records.length === 0 ? [line('record', 'none')] : row.records.flatMap(recordLines)),
    ...(match === null || match.why === '' ? [] : [line('matched', match.why)]),
    ...priceLines(row),
    line('expected', expectedText(row)),
    line('charged', usd(row.charged)),
    ...(row.difference === null ? [] : [line('difference', signedUsd(row.difference))]),
    ...certainLines(row),
    line('verdict', [row.verdict ?? 'sum', row.why].filter((part) => part !== '').join(': ')),
    ...findings.filter(({ id }) => id !== told).flatMap(findingLines),
    ...(findings.length === 0 ? [line('refuted by', row.refuted_by)] : []),
  ];
}

const NO_LEDGER = 'not known: the audit has only the usage records';
const NO_CALL = 'no call of ours matches this record';

function line(name: string, value: string): string {
  return `${name.padEnd(11)} ${value}`;
}

function callLines(call: NonNullable<ExplainedRow['call']>): readonly string[] {
  const { usage, units } = call;
  const parts = [call.call_id, call.kind, call.model, call.started_at, call.outcome];
  const status = call.status === null ? [] : [`HTTP ${call.status}`];
  const told = [
    ...(usage === null
      ? []
      : [
          `answer told ${counted(usage.input)} input and ${counted(usage.output)} output tokens`,
          `cache ${counted(usage.cache_read)} read, ${counted(usage.cache_write)} written`,
          `reasoning ${counted(usage.reasoning)}`,
        ]),
    ...(units === null
      ? []
      : Object.entries(units).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))),
  ];
  return [
    line('call', [...parts.filter((part) => part !== null), ...status].join(' · ')),
    line('request', call.request_id ?? ABSENT),
    ...(told.length === 0 ? [] : [line('units', told.join(' · '))]),
  ];
}

function counted(value: number | null): string {
  return value === null ? ABSENT : String(value);
}

function recordLines(record: ExplainedRow['records'][number]): readonly string[] {
  const tokens = [
    `${record.input_tokens ?? ABSENT} input`,
    `${record.output_tokens ?? ABSENT} output`,
    `cache ${record.cache_read_tokens ?? ABSENT} read, ${record.cache_write_tokens ?? ABSENT} written`,
    ...(record.usage_estimated ? ['estimated'] : []),
  ];
  return [
    line(
      'record',
      [record.id, record.model, record.billing_status, record.result, record.created_at ?? ABSENT].join(
        ' · ',
      ),
    ),
    line(
      '',
      `amount ${record.amount} · reserved ${record.reserved_amount} · refunded ${record.refunded_amount} · ${tokens.join(', ')}`,
    ),
    line('', `price book ${record.pricebook_id} version ${record.pricing_version}`),
  ];
}

function priceLines({ price }: ExplainedRow): readonly string[] {
  const { book, grade, tier, lines } = price;
  const bookText =
    book === null
      ? ABSENT
      : [book.id, book.version, `SHA-256 ${book.sha256}`].filter((part) => part !== null).join(' · ');
  const graded = [grade, tier === null ? null : `tier ${tier}`].filter((part) => part !== null);
  const sum = plainSum(lines);
  return [
    line('price book', [bookText, ...graded].join(' · ')),
    ...lines.map((term, index) => line(index === 0 ? 'sum' : '', termWords(term))),
    ...(sum === null ? [] : [line('', `together $${sum}, before the book's rounding`)]),
  ];
}

/** One term of a sum, to be checked by hand. */
export function termWords({ meter, units, price, per, subtotal }: ChargeLine): string {
  return meter.startsWith('adjustment:')
    ? `${meter} ${subtotal}`
    : `${meter} ${units} × $${price}${per === '1' ? '' : ` per ${per}`} = $${subtotal}`;
}

/** The sum of the terms; null where one is an interval, a fraction or an adjustment. */
function plainSum(lines: ExplainedRow['price']['lines']): string | null {
  const terms = lines.map(({ subtotal }) => parseDecimal(subtotal));
  const known = terms.filter((term) => term !== null);
  if (known.length < 2 || known.length < terms.length) return null;
  return formatTrimmed(known.reduce(addDecimal, ZERO));
}

function expectedText({ expected, expected_lo, expected_hi }: ExplainedRow): string {
  if (expected !== null) return usd(expected);
  if (expected_hi !== null) return `between ${usd(expected_lo)} and ${usd(expected_hi)}`;
  return isZero(expected_lo) ? 'not known' : `not known, at least ${usd(expected_lo)}`;
}

function certainLines({ certain_over, certain_under, open }: ExplainedRow): readonly string[] {
  const parts = [
    ...(isZero(certain_over) ? [] : [`${usd(certain_over)} too much`]),
    ...(isZero(certain_under) ? [] : [`${usd(certain_under)} too little`]),
    ...(isZero(open) ? [] : [`${usd(open)} open`]),
  ];
  return parts.length === 0 ? [] : [line('for certain', parts.join(' · '))];
}

function isZero(amount: string | null): boolean {
  return amount === null || amount === '0';
}

function findingLines(finding: ExplainedFinding): readonly string[] {
  const delta =
    finding.delta_exact !== null
      ? signedUsd(finding.delta_exact)
      : finding.delta_min === null && finding.delta_max === null
        ? 'amount not known'
        : `${signedUsd(finding.delta_min)} to ${signedUsd(finding.delta_max)}`;
  const state = finding.provisional ? ` · provisional until ${finding.deadline_at ?? 'read again'}` : '';
  return [
    line(
      'finding',
      `${finding.id} · ${finding.title} (${finding.class}) · ${finding.severity} · ${finding.confidence} · ${finding.direction} ${delta}${state}`,
    ),
    line('why', finding.explanation),
    ...(finding.group === null ? [] : [line('', `one row of finding ${finding.group}`)]),
    line('rests on', `${finding.warrant.of} (${finding.warrant.kind})`),
    line('evidence', finding.evidence.join(' ')),
    line('refuted by', finding.refuted_by),
    line('next', finding.next_step),
  ];
}
