import { AMOUNT_SCALE, parseAmount } from '../core/amount.ts';
import { isTextKind, type PaidKind } from '../core/call-kind.ts';
import type { PriceBound } from '../core/plan.ts';
import type { Meter, ModelPrice, PriceBook } from '../core/price-book.ts';
import {
  compareRational,
  multiplyRational,
  RATIONAL_ZERO,
  type Rational,
  rational,
} from '../core/rational.ts';
import { divideRounded } from '../core/rounding.ts';
import { NO_FACTS } from './charge-facts.ts';
import { exact, times, unitPrice } from './charge-term.ts';
import { adjustmentsOf } from './evaluate-charge.ts';
import { matchingComponents } from './unit-terms.ts';

/** Output that a model may return where neither the plan nor the book says. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 200_000;

/** What a scenario asks for, as far as it decides a price. Absent options leave the dearest tier. */
export interface BoundShape {
  readonly images?: number;
  readonly size?: string;
  readonly quality?: string;
  readonly seconds?: number;
  readonly resolution?: string;
  /** `models.<id>.max_output` of the configuration. */
  readonly max_output_tokens?: number;
}

/**
 * The most that one call of `model` can cost, in parts that Go multiplies and adds: 10⁻¹² USD, dearest tier, rounded
 * up; `fixed` holds what the rounding of a record may add. Null where the book has no price for the model and shape.
 */
export function priceBounds(
  book: PriceBook,
  model: string,
  kind: PaidKind,
  shape: BoundShape,
): PriceBound | null {
  const entry = book.models.find((candidate) => candidate.model === model);
  if (entry === undefined || (entry.kind === 'text') !== isTextKind(kind)) return null;
  if (entry.kind !== 'text' && (entry.kind === 'video') !== (kind === 'video')) return null;
  const factor = adjustmentsOf(book, model).reduce<Rational>(
    (product, adjustment) => multiplyRational(product, exact(adjustment.factor)),
    rational(1n, 1n),
  );
  function picoUsd(price: Rational): bigint {
    const { num, den } = multiplyRational(price, factor);
    return divideRounded(num * 10n ** BigInt(AMOUNT_SCALE), den, 'ceil');
  }
  const fixed = fixedPrice(entry, shape);
  if (fixed === null) return null;
  const text = entry.kind === 'text';
  return {
    model,
    kind,
    per_input_token: text ? picoUsd(dearest(entry, INPUT_METERS)).toString() : '0',
    per_output_token: text ? picoUsd(dearest(entry, ['output_token'])).toString() : '0',
    fixed: (picoUsd(fixed) + roundingGuard(book)).toString(),
    max_output_tokens: text
      ? (shape.max_output_tokens ?? entry.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS)
      : 0,
    limit_obeyed: false,
  };
}

/** What `fixed` holds above the price, 10⁻¹² USD: the most that the rounding of one record may add. */
export function roundingGuard(book: PriceBook): bigint {
  return parseAmount(book.rounding.quantum) ?? 0n;
}

const INPUT_METERS: readonly Meter[] = ['input_token', 'cache_read_token', 'cache_write_token'];

function fixedPrice(entry: ModelPrice, shape: BoundShape): Rational | null {
  if (entry.kind === 'text') return dearest(entry, ['request']);
  const fitting = matchingComponents(entry, {
    ...NO_FACTS,
    size: shape.size ?? null,
    quality: shape.quality ?? null,
    resolution: shape.resolution ?? null,
  });
  if (fitting.length === 0) return null;
  const price = fitting.map(unitPrice).reduce(dearer, RATIONAL_ZERO);
  const units = entry.kind === 'video' ? shape.seconds : (shape.images ?? 1);
  return units === undefined ? null : times(price, BigInt(Math.ceil(units)));
}

function dearest(entry: ModelPrice, meters: readonly Meter[]): Rational {
  return entry.components
    .filter(({ meter }) => meters.includes(meter))
    .map(unitPrice)
    .reduce(dearer, RATIONAL_ZERO);
}

function dearer(left: Rational, right: Rational): Rational {
  return compareRational(left, right) >= 0 ? left : right;
}
