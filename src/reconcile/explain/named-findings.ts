import type { Confidence, FaultClass, Severity } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import { formatDecimal } from '../../core/decimal.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { WARRANTS } from '../judge/warrants.ts';
import { signedUsdText } from '../records/sum-amounts.ts';

import type { ResidualBias } from './residual-bias.ts';

/** One row with the explanation of its amount. */
interface NamedRow {
  readonly key: string;
  readonly record_id: string;
  readonly model: string;
  readonly cell: string;
  readonly charged: PicoUsd;
  readonly due: PicoUsd;
  /** What the finding is about and rests on; its class and rule may be others yet. */
  readonly finding: Pick<Finding, 'evidence' | 'request_id' | 'call_id' | 'confidence' | 'warrant'>;
}

/** Rows of one class that the same explanation fits. */
export interface NamedRows {
  readonly name: string;
  readonly class: FaultClass;
  readonly confidence: Confidence;
  readonly told: string;
  /** Others that fit the rows as well. */
  readonly others: readonly string[];
  readonly rows: readonly NamedRow[];
  /** Wrong rows of the same cells. */
  readonly of: number;
  readonly right: RightRows;
  /** What the wrong rows of these cells charge in all. */
  readonly charged: PicoUsd;
}

/** Rows of the same cells whose amount is as due. */
export interface RightRows {
  /** Would cost the same, so they do not speak for or against it. */
  readonly alike: number;
  /** Would cost something else, so not every call is charged that way. */
  readonly unlike: number;
  /** Of a rounding: how right and wrong rows together lean to one side. */
  readonly bias: ResidualBias | null;
}

const SHOWN_RECORDS = 5;
const NEXT_STEP = 'Ask the operator to explain the sum, with the price line and the records beneath.';

/** The finding over many rows, if there are many, and one for each row. */
export function namedFindings(named: NamedRows): {
  readonly group: Finding | null;
  readonly children: readonly { readonly key: string; readonly finding: Finding }[];
} {
  const sorted = named.rows.toSorted((left, right) => compareText(left.key, right.key));
  return findingsOf({
    ...named,
    rows: sorted,
    ...(isUntoldFactor(named)
      ? { confidence: 'bounded', told: `${named.told}, which no document tells` }
      : {}),
  });
}

function findingsOf(named: NamedRows): ReturnType<typeof namedFindings> {
  const { rows } = named;
  const severity = severityOf(named);
  const group = rows.length > 1 ? groupFinding(named, severity) : null;
  return {
    group,
    children: rows.map((row) => ({
      key: row.key,
      finding: { ...childFinding(named, row, severity), group: group?.id ?? null },
    })),
  };
}

function groupFinding(named: NamedRows, severity: Severity | undefined): Finding {
  const { name, rows, told, of } = named;
  const models = [...new Set(rows.map(({ model }) => model))].sort(compareText);
  const cells = [...new Set(rows.map(({ cell }) => cell))].sort(compareText);
  const delta = rows.reduce((sum, { charged, due }) => sum + charged - due, 0n);
  const [only] = models;
  return {
    ...makeFinding({
      class: named.class,
      rule: `group:${name}`,
      confidence: named.confidence,
      warrant: rows[0]?.finding.warrant ?? WARRANTS.price_book,
      ...severityPart(severity),
      delta,
      evidence: [
        ...rows.slice(0, SHOWN_RECORDS).map(({ record_id }) => `record:${record_id}`),
        ...cells.map((cell) => `cell:${cell}`),
      ],
      model: models.length === 1 ? (only ?? null) : null,
      explanation: groupText(named, models, delta),
      next_step: nextStep(named),
      rows: rows.length,
      hypothesis: { name, fit: rows.length, of },
    }),
    bridge: 'none',
  };
  function groupText({ others, right }: NamedRows, over: readonly string[], sum: PicoUsd): string {
    const where = over.length === 1 ? over[0] : `${over.length} models (${over.join(', ')})`;
    const also = others.length === 0 ? '' : ` They fit ${others.join(', ')} too.`;
    const beside = [
      right.unlike > 0 ? `${right.unlike} other rows are charged as due and would not be so` : '',
      right.alike > 0 ? `${right.alike} rows cost the same either way` : '',
      biasText(right.bias),
    ].filter((part) => part !== '');
    return (
      `${capital(told)}: ${rows.length} of ${of} wrong rows of ${where} fit to the digit, ${signedUsdText(sum)} in all.` +
      `${beside.length === 0 ? '' : ` ${capital(beside.join('; '))}.`}${also}`
    );
  }
}

function childFinding(named: NamedRows, row: NamedRow, severity: Severity | undefined): Finding {
  const { name, told, rows, of, others } = named;
  const many = rows.length > 1;
  const also = others.length === 0 || many ? '' : ` It fits ${others.join(', ')} too.`;
  return makeFinding({
    class: named.class,
    rule: name,
    confidence: weaker(named.confidence, row.finding.confidence),
    warrant: row.finding.warrant,
    ...severityPart(severity),
    delta: row.charged - row.due,
    evidence: row.finding.evidence,
    request_id: row.finding.request_id,
    call_id: row.finding.call_id,
    model: row.model,
    explanation:
      `${signedUsdText(row.due)} is due by the price book, record ${row.record_id} charges ${signedUsdText(row.charged)}: ` +
      `to the digit what it comes to if ${told}.${also}`,
    next_step: many ? 'See the finding over all rows of its kind.' : nextStep(named),
    hypothesis: { name, fit: rows.length, of },
  });
}

/** The lean of amounts that no single one of them shows. */
function biasText(bias: ResidualBias | null): string {
  if (bias === null) return '';
  const side = bias.mean_thousandths > 0n ? 'above' : 'below';
  const size = bias.mean_thousandths < 0n ? -bias.mean_thousandths : bias.mean_thousandths;
  return `over ${bias.rows} rows the amounts lie ${formatDecimal({ digits: size, scale: 3 })} of a quantum ${side} their sums`;
}

function nextStep({ class: named, rows }: NamedRows): string {
  if (named === 'minimum_charge_unexpected') return 'Ask whether a least charge was agreed.';
  const over = rows.reduce((sum, { charged, due }) => sum + charged - due, 0n) > 0n;
  if (named === 'group_ratio_wrong')
    return `If it was agreed, declare it under billing.agreed; if not, ${over ? 'ask the operator to explain the sum' : 'tell the operator: there is nothing to claim'}.`;
  return over ? NEXT_STEP : 'Nothing to claim; tell the operator which price is not applied.';
}

/**
 * True where one factor stands on every charge of its scope. It may have been agreed, though no document tells of it: it
 * excuses what it lowers, and what it adds is to be agreed or explained.
 */
function isUntoldFactor({ class: named, rows, right }: NamedRows): boolean {
  return named === 'group_ratio_wrong' && rows.length > 1 && right.unlike === 0;
}

/** The drift of a rounding is a nuisance, unless it comes to more than a thousandth of what is charged. */
function severityOf(named: NamedRows): Severity | undefined {
  const { rows, charged } = named;
  const drift = rows.reduce((sum, row) => sum + row.charged - row.due, 0n);
  if (isUntoldFactor(named)) return drift > 0n ? 'S2' : 'S4';
  if (named.class !== 'rounding_bias') return undefined;
  return (drift < 0n ? -drift : drift) * 1000n > charged ? 'S2' : 'S3';
}

function severityPart(severity: Severity | undefined): { readonly severity?: Severity } {
  return severity === undefined ? {} : { severity };
}

const CONFIDENCES: readonly Confidence[] = ['proved', 'strong', 'bounded', 'weak'];

/** A pair that is itself no more than likely proves nothing of its amount. */
function weaker(left: Confidence, right: Confidence): Confidence {
  return CONFIDENCES.indexOf(left) >= CONFIDENCES.indexOf(right) ? left : right;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The text of an amount that nothing, or more than one thing, explains. */
export function openText(finding: Finding, fitting: readonly string[]): Finding {
  const said =
    fitting.length === 0 ? 'No other price explains it.' : `It fits several: ${fitting.join(', ')}.`;
  return { ...finding, explanation: `${finding.explanation} ${said}` };
}
