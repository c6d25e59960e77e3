import {
  multiplyRational,
  RATIONAL_ZERO,
  type Rational,
  rational,
  subtractRational,
} from '../../core/rational.ts';

/** The inverse of a square matrix of whole numbers; null where its rows depend on each other. */
export function inverse(rows: readonly (readonly bigint[])[]): readonly (readonly Rational[])[] | null {
  const size = rows.length;
  const work = rows.map((row, index) => [
    ...row.map((value) => rational(value, 1n)),
    ...rows.map((_, column) => rational(column === index ? 1n : 0n, 1n)),
  ]);
  for (let column = 0; column < size; column += 1) {
    const pivotAt = work.findIndex((row, index) => index >= column && at(row, column).num !== 0n);
    const pivot = work[pivotAt];
    const first = work[column];
    if (pivot === undefined || first === undefined) return null;
    work[pivotAt] = first;
    const by = at(pivot, column);
    const scaled = pivot.map((value) => reduced(multiplyRational(value, rational(by.den, by.num))));
    work[column] = scaled;
    work.forEach((row, index) => {
      const factor = at(row, column);
      if (index === column || factor.num === 0n) return;
      work[index] = row.map((value, place) =>
        reduced(subtractRational(value, multiplyRational(factor, at(scaled, place)))),
      );
    });
  }
  return work.map((row) => row.slice(size));
}

/** Columns that no others give, in order; the rest depend on those before them. */
export function independentColumns(rows: readonly (readonly bigint[])[], width: number): readonly number[] {
  const pivots: number[] = [];
  let left = rows.map((row) => row.map((value) => rational(value, 1n)));
  for (let column = 0; column < width; column += 1) {
    const pivot = left.find((row) => at(row, column).num !== 0n);
    if (pivot === undefined) continue;
    pivots.push(column);
    const by = at(pivot, column);
    left = left
      .filter((row) => row !== pivot)
      .map((row) => {
        const factor = multiplyRational(at(row, column), rational(by.den, by.num));
        if (factor.num === 0n) return row;
        return row.map((value, place) =>
          reduced(subtractRational(value, multiplyRational(factor, at(pivot, place)))),
        );
      });
  }
  return pivots;
}

function at(row: readonly Rational[], index: number): Rational {
  return row[index] ?? RATIONAL_ZERO;
}

function reduced({ num, den }: Rational): Rational {
  let a = num < 0n ? -num : num;
  let b = den;
  while (b !== 0n) [a, b] = [b, a % b];
  return a <= 1n ? { num, den } : { num: num / a, den: den / a };
}
