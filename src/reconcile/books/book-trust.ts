import type { PriceBook, Rounding } from '../../contracts/price-book.ts';
import { type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import type { Rational } from '../../core/rational.ts';
import {
  type InferredRounding,
  inferRounding,
  prevailingRounding,
  roundingFit,
  roundingGives,
  roundingTo,
  untoldUnit,
  WIDEST_ROUNDING,
  wideRounding,
} from '../../pricebook/infer/infer-rounding.ts';
import type { ReadBook } from '../../pricebook/read/read-price-book.ts';

/** A row that was priced: what the book makes of it before rounding, beside its charge. */
export interface TrustRow {
  readonly book: PriceBook;
  readonly model: string;
  readonly endpoint: PaidKind;
  readonly exact: Rational;
  /** By the rounding of the book. */
  readonly rounded: PicoUsd | null;
  readonly charged: PicoUsd;
}

/** How far charges by a book may be judged, in one cell: a book, a model and a kind of call. */
export type CellTrust =
  /** Read in full and its rounding is told: to the digit, and a difference is a finding. */
  | { readonly kind: 'full' }
  /** The book does not tell its rounding; `rounding` fits the rows of the cell, null where none does. By `unit`, 10⁻¹² USD,
   * a lawful one may move an amount. `told`: the target tells that unit, and every charge is a multiple of it. */
  | {
      readonly kind: 'undeclared';
      readonly rounding: Rounding | null;
      readonly unit: PicoUsd;
      readonly told: boolean;
    }
  /**
   * Keys of the book are not read, and the rows do not show that they change nothing: its price may bear a charge out,
   * and accuses none. `told`: whether its rounding is.
   */
  | { readonly kind: 'unproved'; readonly equal: number; readonly rows: number; readonly told: boolean }
  /** No book: the prices are those that `fit` of `of` charges share, and say only whether another one agrees. */
  | { readonly kind: 'inferred'; readonly fit: number; readonly of: number };

/** Rows that a cell of a partial book needs, and the share of them that must equal the price. */
const LEAST_ROWS = 20;
const LEAST_SHARE_PERCENT = 95;

export interface BookTrust {
  of(book: PriceBook, model: string, endpoint: PaidKind): CellTrust;
  /** Partial books by which rows were charged that nothing vouches for, with the keys that are not read. */
  readonly unproved: readonly { readonly sha256: string; readonly reasons: readonly string[] }[];
}

export const FULL_TRUST: CellTrust = { kind: 'full' };

/** How the prices of a cell were read; null for a book that is ours. */
export type CellReading = (book: PriceBook, model: string, endpoint: PaidKind) => ReadBook | null;

/** Judges the books by the rows themselves, and the grid of their charges by the amounts of all records. */
export function bookTrust(
  rows: readonly TrustRow[],
  readingOf: CellReading,
  amounts: readonly PicoUsd[] = [],
): BookTrust {
  const unitOf = ({ book, model, endpoint }: TrustRow): string =>
    readingOf(book, model, endpoint)?.rounding_unit ?? '';
  const silent = rows.filter(
    ({ book, model, endpoint }) => readingOf(book, model, endpoint)?.rounding_declared === false,
  );
  const toUnits = new Map(
    [...Map.groupBy(silent, unitOf)].flatMap(([unit, own]) => {
      const rule = toUnit(unit, own, amounts);
      return rule === null ? [] : [[unit, rule] as const];
    }),
  );
  const untold = untoldRounding(
    silent.filter((row) => !toUnits.has(unitOf(row))),
    amounts,
  );
  const ruleOf = ({ rounding_unit }: ReadBook): SilentRounding => toUnits.get(rounding_unit ?? '') ?? untold;
  const cells = Map.groupBy(rows, ({ book, model, endpoint }) => cellKey(book, model, endpoint));
  const trusts = new Map<string, CellTrust>();
  const unproved = new Map<string, readonly string[]>();
  for (const [key, own] of cells) {
    const [first] = own;
    if (first === undefined) continue;
    const reading = readingOf(first.book, first.model, first.endpoint);
    const trust = reading === null ? FULL_TRUST : trustOfCell(own, reading, ruleOf(reading));
    trusts.set(key, trust);
    if (trust.kind === 'unproved' && reading !== null && unreadKeys(reading).length > 0) {
      unproved.set(first.book.source.sha256, unreadKeys(reading));
    }
  }
  return {
    of: (book, model, endpoint) =>
      trusts.get(cellKey(book, model, endpoint)) ?? withoutRows(readingOf(book, model, endpoint), ruleOf),
    unproved: [...unproved].map(([sha256, reasons]) => ({ sha256, reasons })),
  };
}

/** The rounding of all silent books together: a target rounds its prices alike more often than not. */
export interface SilentRounding {
  /** Gives every row. */
  readonly shared: Rounding | null;
  /** Gives nearly all of many: for cells whose rows it gives too, or of which every row is wrong. */
  readonly prevailing: Rounding | null;
  /** By how much any rounding may move an amount, 10⁻¹² USD. */
  readonly unit: PicoUsd;
  /** The target tells that unit, and the amounts bear it out. */
  readonly told: boolean;
}

const NO_RULE: SilentRounding = { shared: null, prevailing: null, unit: WIDEST_ROUNDING, told: false };

function untoldRounding(rows: readonly TrustRow[], amounts: readonly PicoUsd[]): SilentRounding {
  const wide = wideRounding(rows);
  const shared = wide === null ? (inferRounding(rows)?.rounding ?? null) : null;
  const prevailing = wide ?? shared ?? prevailingRounding(rows);
  const unit = untoldUnit([...Map.groupBy(rows, ({ model }) => model).values()], amounts);
  return { shared, prevailing, unit, told: false };
}

/** Null where an amount is no multiple of the unit that the target tells: then it tells nothing. */
function toUnit(told: string, rows: readonly TrustRow[], amounts: readonly PicoUsd[]): SilentRounding | null {
  const unit = parseAmount(told);
  if (unit === null || amounts.some((amount) => amount % unit !== 0n)) return null;
  const shared = roundingTo(told, rows);
  return { shared, prevailing: shared, unit, told: shared !== null };
}

/** The trust of the rows of one cell. */
export function trustOfCell(
  rows: readonly TrustRow[],
  reading: Pick<ReadBook, 'partial' | 'rounding_declared'>,
  { shared, prevailing, unit, told }: SilentRounding = NO_RULE,
): CellTrust {
  const inferred: InferredRounding | null = reading.rounding_declared || told ? null : inferRounding(rows);
  if (reading.partial) {
    const equal = reading.rounding_declared
      ? rows.filter(({ rounded, charged }) => rounded === charged).length
      : told && shared !== null
        ? roundingFit(shared, rows)
        : (inferred?.fit ?? 0);
    const enough = rows.length >= LEAST_ROWS && equal * 100 >= rows.length * LEAST_SHARE_PERCENT;
    if (!enough) return { kind: 'unproved', equal, rows: rows.length, told: reading.rounding_declared };
  }
  return reading.rounding_declared
    ? FULL_TRUST
    : {
        kind: 'undeclared',
        rounding: told ? shared : (wideRounding(rows) ?? shared ?? ownRule(rows, inferred, prevailing)),
        unit: told ? unit : ownUnit(rows, unit),
        told,
      };
}

/** 10⁻¹² USD; the finer one only where charges differ, for one of ten amounts of six digits stands on it by chance. */
const OWN_GRIDS: readonly { readonly step: PicoUsd; readonly least: number }[] = [
  { step: 100_000_000n, least: 1 },
  { step: 10_000_000n, least: 3 },
];

/** A target may round the prices of one cell more coarsely than all others: by the grid on which its few charges stand. */
function ownUnit(rows: readonly TrustRow[], unit: PicoUsd): PicoUsd {
  const paid = new Set(rows.map(({ charged }) => charged).filter((charged) => charged !== 0n));
  const own = OWN_GRIDS.find(
    ({ step, least }) => paid.size >= least && [...paid].every((charged) => charged % step === 0n),
  );
  return own === undefined || own.step < unit ? unit : own.step;
}

/**
 * A few rows may all show a coarser grid by chance: what nearly all others show goes before, where it gives them too.
 * What it does not give has no rule but its own: which of its rows are wrong in the last digit nothing tells.
 */
function ownRule(
  rows: readonly TrustRow[],
  inferred: InferredRounding | null,
  prevailing: Rounding | null,
): Rounding | null {
  if (prevailing !== null && roundingGives(prevailing, rows)) return prevailing;
  return inferred?.rounding ?? null;
}

function withoutRows(reading: ReadBook | null, ruleOf: (reading: ReadBook) => SilentRounding): CellTrust {
  if (reading?.partial === true)
    return { kind: 'unproved', equal: 0, rows: 0, told: reading.rounding_declared };
  if (reading === null || reading.rounding_declared) return FULL_TRUST;
  const { prevailing, unit, told } = ruleOf(reading);
  return { kind: 'undeclared', rounding: prevailing, unit, told };
}

function unreadKeys({ coverage }: Pick<ReadBook, 'coverage'>): readonly string[] {
  return coverage.unmapped_keys
    .filter(({ may_price }) => may_price)
    .slice(0, 10)
    .map(({ path }) => `${path}: unknown key that holds a figure`);
}

function cellKey(
  { source, pricebook_id, pricing_version }: PriceBook,
  model: string,
  endpoint: string,
): string {
  return JSON.stringify([source.sha256, pricebook_id, pricing_version, model, endpoint]);
}

/** What a charge may be: a book whose rounding is not known is right within the widest. */
export function withinTrust(
  trust: CellTrust,
  { lo, hi }: { readonly lo: PicoUsd; readonly hi: PicoUsd },
): { readonly lo: PicoUsd; readonly hi: PicoUsd } {
  const told =
    trust.kind === 'unproved' ? trust.told : trust.kind !== 'undeclared' || trust.rounding !== null;
  if (told) return { lo, hi };
  return withinUnit(trust.kind === 'undeclared' ? trust.unit : WIDEST_ROUNDING, { lo, hi });
}

/** An amount that a rounding may have moved by a unit. */
export function withinUnit(
  unit: PicoUsd,
  { lo, hi }: { readonly lo: PicoUsd; readonly hi: PicoUsd },
): { readonly lo: PicoUsd; readonly hi: PicoUsd } {
  return { lo: lo > unit ? lo - unit : 0n, hi: hi + unit };
}

/** False where nothing tells how a sum becomes an amount, or nothing but the charges what it is. */
export function isFigure(trust: CellTrust): boolean {
  return trust.kind === 'undeclared'
    ? trust.rounding !== null
    : trust.kind !== 'inferred' && trust.kind !== 'unproved';
}

export function unlikeText({ fit, of }: Extract<CellTrust, { kind: 'inferred' }>): string {
  return `no price book could be read, and the prices that ${fit} of ${of} charges share do not give this one`;
}

export function unprovedText({ equal, rows }: Extract<CellTrust, { kind: 'unproved' }>): string {
  return `keys of the price book are not read, and ${equal} of ${rows} rows equal its price: ${LEAST_SHARE_PERCENT} % of at least ${LEAST_ROWS} would show that they change nothing`;
}
