import { EXERCISED_KINDS, type ExercisedLine } from '../../../contracts/coverage-result.ts';
import { isNotOurs } from '../../../contracts/match-pass.ts';
import type { Outcome } from '../../../contracts/outcome.ts';
import type { ModelPrice, PriceBook, PriceComponent, Rounding } from '../../../contracts/price-book.ts';
import type { JudgedCall } from '../../../contracts/reconciliation.ts';
import { isTokenKind, PAID_KINDS, type PaidKind } from '../../../core/call-kind.ts';
import { parseDecimal } from '../../../core/decimal.ts';
import { type Rational, rationalOf } from '../../../core/rational.ts';
import { entriesOf } from '../../../pricebook/charge/match-model.ts';
import { priceLines } from '../../../pricebook/charge/price-lines.ts';
import type { Expected } from '../../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../../expect/judge-context.ts';
import type { JudgedSubject, Judgement } from '../../judge/judgement.ts';
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

/** Ends of a call that are charged by rules of their own. */
const TEXT_ENDS: readonly Outcome[] = ['ok', 'http_error', 'stream_error', 'truncated', 'aborted'];
const MEDIA_ENDS: readonly Outcome[] = ['ok', 'http_error'];
const TASK_ENDS: readonly Outcome[] = ['ok', 'http_error', 'task_failed', 'timeout_task'];
const TASK_KINDS: readonly PaidKind[] = ['image_job', 'image_edit_job', 'video'];

const REST_BACK = 'the reserve above the charge given back';
const ALL_BACK = 'the reserve of a failed call given back';
const TASK_BACK = 'the charge of a failed task given back';

/** Cache use by model, formats by outcome, and the ways in which money came back. */
function tallyPaths(tally: ExercisedTally, judgements: readonly Judgement[]): void {
  const kinds = new Set<PaidKind>();
  for (const judgement of judgements) {
    const count = 1 + (judgement.stands_for ?? 0);
    for (const call of judgement.calls) {
      const kind = PAID_KINDS.find((each) => each === call.kind);
      // What a record alone tells is no call that anybody saw end.
      if (kind === undefined || call.row === null || isNotOurs(call.match)) continue;
      kinds.add(kind);
      if (call.outcome !== null) tally.add('format_outcome', null, `${kind} ${call.outcome}`, count);
      if (isTokenKind(kind)) tallyCache(tally, call, count);
    }
    tallyRefund(tally, judgement, count);
  }
  for (const kind of kinds) {
    for (const outcome of endsOf(kind)) tally.name('format_outcome', null, `${kind} ${outcome}`);
  }
  if (kinds.size === 0) return;
  tally.name('refund', null, REST_BACK);
  tally.name('refund', null, ALL_BACK);
  if (TASK_KINDS.some((kind) => kinds.has(kind))) tally.name('refund', null, TASK_BACK);
}

function endsOf(kind: PaidKind): readonly Outcome[] {
  if (isTokenKind(kind)) return TEXT_ENDS;
  return TASK_KINDS.includes(kind) ? TASK_ENDS : MEDIA_ENDS;
}

function tallyCache(tally: ExercisedTally, { model, row }: JudgedCall, count: number): void {
  const told = { read: row?.usage?.cache_read ?? 0, write: row?.usage?.cache_write ?? 0 };
  for (const [what, tokens] of Object.entries(told)) {
    tally.add('cache', model, `cache ${what}`, tokens > 0 ? count : 0);
  }
}

/** Counted where the charge was judged: a refund that nobody compared with its call shows nothing. */
function tallyRefund(tally: ExercisedTally, { subject, calls }: Judgement, count: number): void {
  const [call] = calls;
  if (subject === undefined || call === undefined || call.row === null) return;
  if (call.verdict === 'not_checkable' || call.verdict === 'provisional') return;
  const { record } = subject;
  if ((record.refunded.exact ?? 0n) <= 0n) return;
  const task = subject.call.outcome === 'task_failed';
  if (record.role === 'refunded') tally.add('refund', null, task ? TASK_BACK : ALL_BACK, count);
  else if (record.role === 'settled') tally.add('refund', null, task ? TASK_BACK : REST_BACK, count);
}

type Kind = ExercisedLine['kind'];

/** How often each line was gone over. One that is only named stays at 0, which says: never. */
class ExercisedTally {
  readonly #lines = new Map<string, { line: Omit<ExercisedLine, 'seen'>; seen: number }>();

  name(kind: Kind, model: string | null, line: string): void {
    this.add(kind, model, line, 0);
  }

  add(kind: Kind, model: string | null, line: string, times = 1): void {
    const key = `${kind}\n${model ?? ''}\n${line}`;
    const held = this.#lines.get(key);
    if (held === undefined) this.#lines.set(key, { line: { kind, line, model }, seen: times });
    else held.seen += times;
  }

  /** By kind, model and line; numbers in a line by their value. */
  lines(): readonly ExercisedLine[] {
    return [...this.#lines.values()].map(({ line, seen }) => ({ ...line, seen })).sort(byLine);
  }
}

const IN_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });

function byLine(left: ExercisedLine, right: ExercisedLine): number {
  return (
    EXERCISED_KINDS.indexOf(left.kind) - EXERCISED_KINDS.indexOf(right.kind) ||
    IN_ORDER.compare(left.model ?? '', right.model ?? '') ||
    IN_ORDER.compare(left.line, right.line)
  );
}
