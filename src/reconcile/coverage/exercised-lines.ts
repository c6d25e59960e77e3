import type { ExercisedLine } from '../../contracts/coverage-result.ts';
import { isNotOurs } from '../../contracts/match-pass.ts';
import type { ModelPrice, PriceBook, PriceComponent, Rounding } from '../../contracts/price-book.ts';
import { parseDecimal } from '../../core/decimal.ts';
import { type Rational, rationalOf } from '../../core/rational.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { priceLines } from '../../pricebook/charge/price-lines.ts';
import type { Expected } from '../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { JudgedSubject, Judgement } from '../judges/judgement.ts';
import { tallyPaths } from './call-paths.ts';
import { ExercisedTally } from './exercised-tally.ts';
import { entryOf, linesUsed, tierSize } from './lines-used.ts';

/** A call whose charge was compared with a price. */
interface PricedCall {
  readonly subject: JudgedSubject;
  readonly expected: Expected;
  /** Itself, and those that it stands for. */
  readonly count: number;
}

/**
 * What the calls went over, of all that the prices of their models hold: price lines, tier edges, rounding ties, cache
 * use, formats by outcome, ways to give money back. What was never seen stands at 0: that it is right, nothing shows.
 */
export function exercisedLines(
  context: JudgeContext,
  judgements: readonly Judgement[],
): readonly ExercisedLine[] {
  const tally = new ExercisedTally();
  const priced = judgements.flatMap(pricedCall);
  const nameOf = new Map<PriceComponent, { readonly model: string; readonly line: string }>();
  for (const { book, model } of booksOfModels(context, judgements)) {
    for (const { component, line } of priceLines(book, model)) {
      nameOf.set(component, { model, line });
      tally.name('price', model, line);
    }
    for (const entry of entriesOf(book, model)) {
      for (const line of edgesOf(entry).values()) tally.name('tier_edge', model, line);
      const tie = tieLine(entry.rounding ?? book.rounding);
      if (tie !== null) tally.name('tie', model, tie);
    }
  }
  for (const { subject, expected, count } of priced) {
    const entry = entryOf(context, subject);
    const book = bookOf(context, subject.record);
    if (entry === null || book === null || expected.facts === null) continue;
    const { model } = subject.call;
    for (const component of linesUsed(entry, expected)) {
      const named = nameOf.get(component);
      if (named !== undefined) tally.add('price', model, named.line, count);
    }
    const size = tierSize(entry, expected.facts);
    const edge = size === null ? undefined : edgesOf(entry).get(size);
    if (edge !== undefined) tally.add('tier_edge', model, edge, count);
    const rounding = entry.rounding ?? book.rounding;
    const tie = tieLine(rounding);
    if (tie !== null && isTie(expected.exact ?? null, rounding)) tally.add('tie', model, tie, count);
  }
  tallyPaths(tally, judgements);
  return tally.lines();
}

function pricedCall({ calls, subject, stands_for = 0 }: Judgement): readonly PricedCall[] {
  const [call] = calls;
  if (subject === undefined || call === undefined || subject.charge === null) return [];
  if (call.verdict === 'not_checkable' || call.verdict === 'provisional') return [];
  return 'unknown' in subject.expectation
    ? []
    : [{ subject, expected: subject.expectation, count: 1 + stands_for }];
}

/** Each model that was called, with every book by which a call of it was priced, or the latest where none was. */
function booksOfModels(
  context: JudgeContext,
  judgements: readonly Judgement[],
): readonly { readonly book: PriceBook; readonly model: string }[] {
  const books = new Map<string, Set<PriceBook>>();
  for (const { calls, subject } of judgements) {
    for (const { model, match, call_id, basis } of calls) {
      // A record that no call explains calls no model.
      if (model === null || isNotOurs(match) || (call_id === null && basis !== 'record')) continue;
      const held = books.get(model) ?? new Set();
      books.set(model, held);
      const book = subject === undefined ? null : bookOf(context, subject.record);
      if (book !== null) held.add(book);
    }
  }
  const { latest } = context.shelf;
  return [...books].flatMap(([model, held]) =>
    (held.size > 0 ? [...held] : latest === null ? [] : [latest]).map((book) => ({ book, model })),
  );
}

const edges = new WeakMap<ModelPrice, ReadonlyMap<bigint, string>>();

/** The last size below each threshold and the first beyond it, by their size. */
function edgesOf(entry: ModelPrice): ReadonlyMap<bigint, string> {
  const known = edges.get(entry);
  if (known !== undefined) return known;
  const found = new Map(sizesAtEdges(entry).map((size) => [size, `${entry.tiers?.basis} = ${size}`]));
  edges.set(entry, found);
  return found;
}

function sizesAtEdges({ tiers }: ModelPrice): readonly bigint[] {
  // Of what the account used in a day no single call tells.
  if (tiers === null || tiers.basis === 'cumulative_day') return [];
  return tiers.thresholds
    .map(({ above }) => BigInt(above) - (tiers.inclusive === 'ge' ? 1n : 0n))
    .flatMap((last) => [last, last + 1n]);
}

/** The tie that tells one way of rounding from another; null where whole charges are not rounded. */
function tieLine({ scope, quantum, mode }: Rounding): string | null {
  return scope === 'record' ? `half of ${quantum} (${mode})` : null;
}

/** True where a charge before its rounding lies in the middle between two multiples of the quantum. */
function isTie(exact: Rational | null, { quantum }: Rounding): boolean {
  const step = parseDecimal(quantum);
  if (exact === null || step === null || step.digits <= 0n) return false;
  const { num, den } = rationalOf(step);
  const halves = 2n * exact.num * den;
  const unit = exact.den * num;
  return halves % unit === 0n && (halves / unit) % 2n !== 0n;
}
