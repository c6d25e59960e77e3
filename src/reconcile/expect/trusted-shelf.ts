import type { ModelPrice, PriceBook } from '../../contracts/price-book.ts';
import { PAID_KINDS, type PaidKind } from '../../core/call-kind.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { entriesOf, kindOf, pricesEndpoint } from '../../pricebook/charge/match-model.ts';
import type { ReadBook } from '../../pricebook/read/read-price-book.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import { type BookTrust, bookTrust, type TrustRow } from '../books/book-trust.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { chargeContext } from './call-facts.ts';
import { finishedCharges } from './finished-charges.ts';
import { inferredShelf } from './inferred-shelf.ts';
import type { JudgeContext } from './judge-context.ts';

interface MatchedRecords {
  readonly call: PaidCall;
  readonly records: readonly ServedRecord[];
}

/**
 * The shelf as its rows bear it out: books of which keys are not read count only in cells that their rows vouch for,
 * and books that do not tell their rounding have the one that fits the rows. Books read in full stay as they are; where
 * none could be read, what the rows themselves share stands in.
 */
export function trustedShelf(context: JudgeContext, matches: readonly MatchedRecords[]): BookShelf {
  const { shelf } = context;
  if (shelf.latest === null) return inferredShelf(context, matches);
  const doubtful = shelf.books.filter((book) => {
    const reading = shelf.readingOf(book);
    return reading !== null && (reading.partial || !reading.rounding_declared);
  });
  if (doubtful.length === 0) return shelf;
  const trust = bookTrust(
    rowsOf(context, matches, new Set(doubtful)),
    (...cell) => cellReading(shelf, ...cell),
    context.sweep.records.flatMap(({ amount }) => amount.exact ?? []),
  );
  const rounded = new Map(doubtful.map((book) => [book, withRounding(book, trust)]));
  const sources = new Map([...rounded].map(([book, own]) => [own, book]));
  const ours = (book: PriceBook): PriceBook => rounded.get(book) ?? book;
  const orNull = (book: PriceBook | null): PriceBook | null => (book === null ? null : ours(book));
  return {
    ...shelf,
    books: shelf.books.map(ours),
    latest: orNull(shelf.latest),
    doubted: trust.unproved,
    find: (id, version, atS) => orNull(shelf.find(id, version, atS)),
    inForce(atS) {
      const held = shelf.inForce(atS);
      return held === null ? null : { ...held, book: ours(held.book) };
    },
    replacedBy: (book, atS) => orNull(shelf.replacedBy(sources.get(book) ?? book, atS)),
    readingOf: (book) => shelf.readingOf(sources.get(book) ?? book),
    trustOf: (book, model, endpoint) => trust.of(sources.get(book) ?? book, model, endpoint),
  };
}

/**
 * A rounding that was agreed for every price of a cell is told, though not by the book. A price of which a reader says
 * that it could not read all counts as far as its rows vouch for it.
 */
function cellReading(
  shelf: BookShelf,
  book: PriceBook,
  ...[model, endpoint]: readonly [string, PaidKind]
): ReadBook | null {
  const reading = shelf.readingOf(book);
  const entries = entriesOf(book, model).filter((entry) => pricesEndpoint(entry, endpoint));
  const told = entries.length > 0 && entries.every(({ rounding }) => rounding !== null);
  if (reading === null) return null;
  const assumed =
    reading.coverage.unsupported.some((each) => each.model === model) &&
    entries.some((entry) => reading.book.models.includes(entry));
  return {
    ...reading,
    partial: (reading.partial && (reading.doubted_models?.has(model) ?? true)) || assumed,
    rounding_declared: reading.rounding_declared || told,
  };
}

function rowsOf(
  context: JudgeContext,
  matches: readonly MatchedRecords[],
  doubtful: ReadonlySet<PriceBook>,
): readonly TrustRow[] {
  return finishedCharges(context, matches, (book) => doubtful.has(book)).flatMap(
    ({ call, book, facts, charged }): readonly TrustRow[] => {
      const priced = evaluateCharge(book, facts, chargeContext(context, call));
      if ('unpriced' in priced || priced.exact === null) return [];
      const { exact, rounded } = priced;
      return [{ book, model: call.model, endpoint: call.kind, exact, rounded, charged }];
    },
  );
}

/** The book with the rounding that the rows of each cell show. */
function withRounding(book: PriceBook, trust: BookTrust): PriceBook {
  return { ...book, models: book.models.flatMap((entry) => entriesBy(book, entry, trust)) };
}

function entriesBy(book: PriceBook, entry: ModelPrice, trust: BookTrust): readonly ModelPrice[] {
  if (entry.rounding !== null) return [entry];
  const endpoints = entry.endpoints ?? PAID_KINDS.filter((kind) => kindOf(kind) === entry.kind);
  const known = endpoints.flatMap((endpoint) => {
    const cell = trust.of(book, entry.model, endpoint);
    return cell.kind === 'undeclared' && cell.rounding !== null
      ? [{ endpoint, rounding: cell.rounding }]
      : [];
  });
  if (known.length === 0) return [entry];
  const rest = endpoints.filter((endpoint) => !known.some((each) => each.endpoint === endpoint));
  return [
    ...known.map(({ endpoint, rounding }) => ({ ...entry, endpoints: [endpoint], rounding })),
    ...(rest.length === 0 ? [] : [{ ...entry, endpoints: rest }]),
  ];
}
