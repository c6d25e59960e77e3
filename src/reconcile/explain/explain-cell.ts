import type { PriceBook } from '../../contracts/price-book.ts';
import { parseAmount } from '../../core/amount.ts';
import { learntHypotheses, statedHypotheses } from './catalogue.ts';
import { fits, type Hypothesis, RANK, suffices } from './hypothesis.ts';
import type { MismatchedRow } from './mismatched-row.ts';
import { aboveReserve } from './multiple-hypotheses.ts';
import { chargeAlike } from './other-entry-hypotheses.ts';
import type { MismatchedCell } from './price-cell.ts';
import { roundingOf } from './rounding-of.ts';

/** Rows of one cell and what explains them. */
export interface Explained {
  readonly cell: MismatchedCell;
  readonly rows: readonly MismatchedRow[];
  readonly hypothesis: Hypothesis;
  /** Others that fit every one of the rows too. */
  readonly others: readonly Hypothesis[];
}

export interface CellExplanation {
  readonly cell: MismatchedCell;
  readonly explained: readonly Explained[];
  /** Rows that nothing explains, or several equally simple explanations of different classes. */
  readonly open: readonly { readonly row: MismatchedRow; readonly fitting: readonly Hypothesis[] }[];
}

/** Every hypothesis is tried on so many rows of a cell; on the others only those that fitted one of them. */
const SAMPLE = 64;
const ROUNDS = 4;
const LEAST_OF_MOST = 20;
const MOST_PERCENT = 90;

/**
 * What explains the wrong rows of a cell: what explains them all and nothing simpler does; else what explains most of
 * many; else row by row the one simplest explanation, and for the rest a figure that they share.
 */
export function explainCell(cell: MismatchedCell, archived: readonly PriceBook[]): CellExplanation {
  const stated = statedHypotheses(cell, archived);
  const explained: Explained[] = [];
  let rest = cell.rows;
  for (;;) {
    const found = explainMost(cell, stated, rest);
    if (found === null) break;
    explained.push(found);
    const gone = new Set(found.rows);
    rest = rest.filter((row) => !gone.has(row));
    if (rest.length === 0) break;
  }
  const single = explainSingly(cell, stated, rest);
  const untold = single.open.filter(({ fitting }) => fitting.length === 0).map(({ row }) => row);
  const learnt = explainRest(cell, untold);
  const named = new Set(learnt.flatMap(({ rows }) => rows));
  const last = aboveReserve();
  const above = untold.filter((row) => !named.has(row) && fits(last, row));
  const gone = new Set([...named, ...above]);
  return {
    cell,
    explained: [
      ...explained,
      ...single.explained,
      ...learnt,
      ...(above.length === 0 ? [] : [{ cell, rows: above, hypothesis: last, others: [] }]),
    ],
    open: single.open.filter(({ row }) => !gone.has(row)),
  };
}

/** One explanation of all the rows, or of nearly all of many. */
function explainMost(
  cell: MismatchedCell,
  stated: readonly Hypothesis[],
  rows: readonly MismatchedRow[],
): Explained | null {
  if (rows.length === 0) return null;
  const sample = sampleOf(rows);
  const least =
    rows.length >= LEAST_OF_MOST ? Math.floor((sample.length * (MOST_PERCENT - 10)) / 100) : sample.length;
  const trials = [...stated, ...learntHypotheses(rows)]
    .filter((hypothesis) => countFits(hypothesis, sample, least) >= least)
    .map((hypothesis) => ({ hypothesis, fitting: rows.filter((row) => fits(hypothesis, row)) }))
    .filter(({ hypothesis, fitting }) => suffices(hypothesis, fitting));
  const all = trials.filter(({ fitting }) => fitting.length === rows.length);
  const most = Math.max(0, ...trials.map(({ fitting }) => fitting.length));
  const enough = most >= LEAST_OF_MOST && most * 100 >= rows.length * MOST_PERCENT;
  const best = all.length > 0 ? all : enough ? trials.filter(({ fitting }) => fitting.length === most) : [];
  const rowsOf = best[0]?.fitting ?? [];
  const chosen = simplest(
    cell,
    best
      .filter(({ fitting }) => fitting.every((row, index) => row === rowsOf[index]))
      .map(({ hypothesis }) => hypothesis),
    rowsOf,
  );
  return chosen === null ? null : { cell, rows: rowsOf, ...chosen };
}

/** Row by row: what is simpler than all else that fits, as far as it fits rows enough. */
function explainSingly(
  cell: MismatchedCell,
  stated: readonly Hypothesis[],
  rows: readonly MismatchedRow[],
): CellExplanation {
  const { explained, open } = tryEach(cell, stated, rows);
  const weak = explained.filter((each) => !suffices(each.hypothesis, each.rows));
  if (weak.length === 0) return { cell, explained, open };
  const names = new Set(weak.map(({ hypothesis }) => hypothesis.name));
  const again = explainSingly(
    cell,
    stated.filter(({ name }) => !names.has(name)),
    [...weak.flatMap((each) => each.rows), ...open.map(({ row }) => row)],
  );
  const sure = explained.filter((each) => !names.has(each.hypothesis.name));
  return { cell, explained: merged([...sure, ...again.explained]), open: again.open };
}

function merged(parts: readonly Explained[]): readonly Explained[] {
  const byName = Map.groupBy(parts, ({ hypothesis }) => hypothesis.name);
  return [...byName.values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [
          {
            ...first,
            rows: [...first.rows, ...more.flatMap(({ rows }) => rows)],
            others: first.others.filter((other) => more.every(({ others }) => others.includes(other))),
          },
        ],
  );
}

function tryEach(
  cell: MismatchedCell,
  stated: readonly Hypothesis[],
  rows: readonly MismatchedRow[],
): CellExplanation {
  const explained: Explained[] = [];
  let open: CellExplanation['open'] = rows.map((row) => ({ row, fitting: [] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const untouched = open.filter(({ fitting }) => fitting.length === 0).map(({ row }) => row);
    const sample = sampleOf(untouched);
    const trials = stated.filter((hypothesis) => sample.some((row) => fits(hypothesis, row)));
    if (trials.length === 0) break;
    open = open.flatMap((entry) => {
      if (entry.fitting.length > 0) return [entry];
      const { row } = entry;
      const fitting = trials.filter((hypothesis) => fits(hypothesis, row));
      const chosen = simplest(cell, fitting, [row]);
      if (chosen === null) return [{ row, fitting }];
      explained.push({ cell, rows: [row], ...chosen });
      return [];
    });
    const left = open.filter(({ fitting }) => fitting.length === 0).length;
    if (untouched.length <= SAMPLE || left === untouched.length) break;
  }
  return { cell, explained: merged(explained), open };
}

/** A factor or a least charge that nearly all of what is left shares. */
function explainRest(cell: MismatchedCell, rows: readonly MismatchedRow[]): readonly Explained[] {
  const found = learntHypotheses(rows)
    .map((hypothesis) => ({ hypothesis, fitting: rows.filter((row) => fits(hypothesis, row)) }))
    .filter(
      ({ hypothesis, fitting }) =>
        suffices(hypothesis, fitting) && fitting.length * 100 >= rows.length * MOST_PERCENT,
    )
    .sort(
      (left, right) =>
        right.fitting.length - left.fitting.length || left.hypothesis.rank - right.hypothesis.rank,
    );
  const [best] = found;
  return best === undefined ? [] : [{ cell, rows: best.fitting, hypothesis: best.hypothesis, others: [] }];
}

/**
 * The simplest of those that fit the same rows; null where several of one rank would accuse of different things. Of one
 * class the first stands for the others, for they differ in words only.
 */
function simplest(
  cell: MismatchedCell,
  fitting: readonly Hypothesis[],
  rows: readonly MismatchedRow[],
): { readonly hypothesis: Hypothesis; readonly others: readonly Hypothesis[] } | null {
  const ranked = fitting
    .map((hypothesis) => ({ hypothesis, rank: rankFor(cell, hypothesis, rows) }))
    .sort((left, right) => left.rank - right.rank);
  const [first] = ranked;
  if (first === undefined) return null;
  const equal = ranked.filter(({ rank }) => rank === first.rank);
  const { hypothesis } = first;
  if (equal.some((other) => other.hypothesis.class !== hypothesis.class)) return null;
  if (hypothesis.class === 'wrong_model_price' && equal.length > 1) {
    const alike = rows.length > 1 && equal.every((other) => chargeAlike(hypothesis, other.hypothesis, rows));
    if (!alike) return null;
  }
  return { hypothesis, others: ranked.slice(1).map((other) => other.hypothesis) };
}

/** A difference in the last digit alone is rounding before it is anything else. */
function rankFor(
  { book, model }: MismatchedCell,
  { rank, class: named }: Hypothesis,
  rows: readonly MismatchedRow[],
): number {
  if (named !== 'rounding_bias' || rank !== RANK.rounding) return rank;
  const quantum = parseAmount(roundingOf(book, model).quantum) ?? 1n;
  const last = rows.every(({ charged, due }) => charged - due <= quantum && due - charged <= quantum);
  return last ? RANK.last_digit : rank;
}

/** Rows spread evenly over all. */
function sampleOf(rows: readonly MismatchedRow[]): readonly MismatchedRow[] {
  const every = Math.max(1, Math.ceil(rows.length / SAMPLE));
  return rows.filter((_, index) => index % every === 0);
}

/** Rows that fit, counted only as long as `least` can still be reached. */
function countFits(hypothesis: Hypothesis, rows: readonly MismatchedRow[], least: number): number {
  let count = 0;
  for (const [index, row] of rows.entries()) {
    if (fits(hypothesis, row)) count += 1;
    else if (count + rows.length - index - 1 < least) return count;
  }
  return count;
}
