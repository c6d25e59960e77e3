import type { Finding } from '../../contracts/finding.ts';
import { isTokenKind, type PaidKind } from '../../core/call-kind.ts';
import { compareText } from '../../core/compare-text.ts';
import { formatInstant } from '../../core/time.ts';
import { exact, rationalText } from '../../pricebook/charge/charge-term.ts';
import { metersOf, observationsOf, optionText } from '../../pricebook/infer/infer-book.ts';
import {
  type ComparedCharge,
  type InferredChange,
  inferredChange,
} from '../../pricebook/infer/price-change.ts';
import { exactOf } from '../expect/charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { JudgedSubject, Judgement } from './judgement.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/** Told as what they are; what their charge differs by is no change of the prices. */
const OTHER_CAUSES: readonly Finding['class'][] = [
  'stale_price_version',
  'token_mismatch',
  'reasoning_double_count',
];

/**
 * Prices that changed while the book kept its version: on one side of a moment charges are those of the book, on the
 * other those of other prices, the same for all. One finding a version, above the rows that it leaves wrong.
 */
export function judgePriceChange(
  context: JudgeContext,
  judgements: readonly Judgement[],
): readonly Finding[] {
  if (!judgements.some(isWrong)) return [];
  const cells = Map.groupBy(
    judgements.flatMap((judgement) => cellRows(context, judgement)),
    ({ key }) => key,
  );
  const changes = [...cells.values()].flatMap((rows): readonly CellChange[] => {
    const [first] = rows;
    if (first === undefined || rows.every(({ charge }) => charge.as_due)) return [];
    const { call, record } = first.subject;
    const change = inferredChange(
      metersOf(call.kind),
      rows.map(({ charge }) => charge),
    );
    return change === null
      ? []
      : [
          {
            model: call.model,
            kind: call.kind,
            id: record.pricebook_id,
            version: record.pricing_version,
            change,
          },
        ];
  });
  return [...Map.groupBy(changes, ({ id, version }) => JSON.stringify([id, version])).values()].flatMap(
    (ofVersion) => findingOf(ofVersion.toSorted(byModel)),
  );
}

function isWrong({ subject }: Judgement): boolean {
  if (subject === undefined || subject.charge === null || 'unknown' in subject.expectation) return false;
  const { point } = subject.expectation;
  return point !== null && exactOf(subject.charge) !== point;
}

interface CellRow {
  readonly key: string;
  readonly subject: JudgedSubject;
  readonly charge: ComparedCharge;
}

interface CellChange {
  readonly model: string;
  readonly kind: PaidKind;
  readonly id: string;
  readonly version: string;
  readonly change: InferredChange;
}

function cellRows(context: JudgeContext, { subject, findings, calls }: Judgement): readonly CellRow[] {
  if (subject === undefined || subject.charge === null || calls[0]?.record_ids.length !== 1) return [];
  const { call, record, expectation } = subject;
  const amount = exactOf(subject.charge);
  if (amount === null || record.role !== 'settled' || record.created_at === null) return [];
  if ('unknown' in expectation || expectation.point === null || expectation.facts === null) return [];
  if (findings.some((finding) => OTHER_CAUSES.includes(finding.class))) return [];
  const { pricebook_id: id, pricing_version: version, created_at: at_s } = record;
  const book = bookOf(context, record);
  // Where only the rows tell how a book is read, they cannot show that it is wrong.
  if (book === null || context.shelf.trustOf(book, call.model, call.kind).kind !== 'full') return [];
  // Served twice with other prices is told as that.
  const reused = context.shelf.reused_versions.some(
    (each) => each.pricebook_id === id && each.pricing_version === version,
  );
  if (reused) return [];
  const { facts, point } = expectation;
  const key = JSON.stringify([id, version, call.model, call.kind, optionText(facts)]);
  return observationsOf(metersOf(call.kind), { facts, amount, at_s }).map((observation) => ({
    key,
    subject,
    charge: { ...observation, as_due: amount === point },
  }));
}

function findingOf(changes: readonly CellChange[]): readonly Finding[] {
  const [first] = changes;
  if (first === undefined) return [];
  const { id, version } = first;
  const models = [...new Set(changes.map(({ model }) => model))];
  const at = changes.reduce((least, { change }) => Math.min(least, change.at_s), first.change.at_s);
  const rows = changes.reduce((sum, { change }) => sum + change.by_others, 0);
  return [
    makeFinding({
      class: 'price_book_incoherent',
      rule: 'changed_without_version',
      warrant: WARRANTS.price_book,
      confidence: 'proved',
      delta: null,
      direction: 'none',
      evidence: [`book:${id}`, `version:${version}`, ...models.map((model) => `model:${model}`)],
      model: models.length === 1 ? first.model : null,
      explanation:
        `The prices of ${id || '(no book)'}, version ${version || '(none)'}, changed at ${formatInstant(at * 1000)} and its version did not: ` +
        `${changes.map(changeText).join('; ')}.`,
      next_step: 'Ask the operator for the price list of that time, and to name each change by a version.',
      rows,
    }),
  ];
}

function changeText({ model, kind, change }: CellChange): string {
  const { book_holds, by_book, by_others, others } = change;
  const side = book_holds === 'before' ? 'from then on' : 'until then';
  const prices = metersOf(kind).flatMap((meter, index) => {
    const price = others.per_million[index] ?? null;
    return price === null
      ? []
      : [`${meter} ${isTokenKind(kind) ? `$${price} a million` : `$${ofOne(price)}`}`];
  });
  return `${by_book} charges of ${model} are those of the book, ${by_others} ${side} those of ${prices.join(', ')}`;
}

function ofOne(perMillion: string): string {
  const { num, den } = exact(perMillion);
  return rationalText({ num, den: den * 1_000_000n });
}

function byModel(left: CellChange, right: CellChange): number {
  return (
    compareText(left.model, right.model) ||
    compareText(left.kind, right.kind) ||
    left.change.at_s - right.change.at_s
  );
}
