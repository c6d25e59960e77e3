import type { PriceBook } from '../../contracts/price-book.ts';
import { compareText } from '../../core/compare-text.ts';
import { entriesOf, kindOf } from '../../pricebook/charge/match-model.ts';
import { type Hypothesis, RANK } from './hypothesis.ts';
import { lineHypothesis } from './line-hypothesis.ts';
import type { MismatchedRow, PricedRow } from './mismatched-row.ts';
import type { MismatchedCell } from './price-cell.ts';

/** An amount of fewer quanta than this meets the price of some model by chance. */
const LEAST_QUANTA = 100n;

/** The price of the same model in another archived version of the book. */
export function versionHypotheses(
  { book }: Pick<MismatchedCell, 'book'>,
  archived: readonly PriceBook[],
): readonly Hypothesis[] {
  return archived
    .filter(
      (other) => other.pricing_version !== book.pricing_version || other.pricebook_id !== book.pricebook_id,
    )
    .sort((left, right) => compareText(versionName(left), versionName(right)))
    .map((other) =>
      lineHypothesis({
        name: `version:${other.pricing_version}`,
        class: 'stale_price_version',
        rank: RANK.version,
        told: `the prices are those of version ${other.pricing_version}`,
        book: other,
      }),
    );
}

function versionName({ pricebook_id, pricing_version }: PriceBook): string {
  return `${pricing_version} ${pricebook_id}`;
}

/** The price of the same model in another context, such as another tier of service. */
export function whenHypotheses({ book, model }: MismatchedCell): readonly Hypothesis[] {
  const named = entriesOf(book, model).map(({ when }) => when);
  if (named.every((when) => Object.keys(when).length === 0)) return [];
  const texts = new Map(named.map((when) => [whenText(when), when]));
  texts.set('none', {});
  return [...texts]
    .sort(([left], [right]) => compareText(left, right))
    .map(([text, when]) =>
      lineHypothesis({
        name: `when:${text}`,
        class: 'service_tier_price',
        confidence: 'strong',
        told: text === 'none' ? 'the price is the usual one' : `the price is that of ${text}`,
        context: (context) => ({ ...context, when }),
      }),
    );
}

function whenText(when: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(when).sort(([left], [right]) => compareText(left, right));
  return pairs.length === 0 ? 'none' : pairs.map(([key, value]) => `${key}=${value}`).join(',');
}

/** The prices of another model of the same book. */
export function modelHypotheses({ book, model, endpoint }: MismatchedCell): readonly Hypothesis[] {
  const kind = kindOf(endpoint);
  const ids = book.models
    .filter((entry) => entry.kind === kind && entry.match.kind === 'exact' && entry.match.text !== model)
    .map(({ match }) => match.text);
  return [...new Set(ids)].sort(compareText).map((other) =>
    lineHypothesis({
      name: `model:${other}`,
      class: 'wrong_model_price',
      rank: RANK.model,
      confidence: 'strong',
      told: `the prices are those of ${other}`,
      applies: (row) => row.charged >= LEAST_QUANTA * smallestStep(row.charged),
      context: (context) => ({ ...context, model: other }),
    }),
  );
}

/** The power of ten that the last digit of an amount stands at. */
function smallestStep(amount: bigint): bigint {
  let step = 1n;
  while (amount !== 0n && amount % (step * 10n) === 0n) step *= 10n;
  return step;
}

/** Whether two models charge every one of the rows alike, so that nothing tells them apart. */
export function chargeAlike(
  left: Hypothesis,
  right: Hypothesis,
  rows: readonly (MismatchedRow | PricedRow)[],
): boolean {
  return rows.every((row) => left.charge(row)?.lo === right.charge(row)?.lo);
}
