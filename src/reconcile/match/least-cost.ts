/** One row's column in the assignment of least total cost. */
export interface AssignedColumn {
  readonly column: number;
  readonly cost: number;
  /** How much more the cheapest assignment costs in which this row has another column. */
  readonly margin: number;
}

/**
 * The assignment of every row to a column of its own at the least total cost (shortest augmenting paths with
 * potentials), with the certificate of each choice. `costs[row][column]` is a finite number, `Infinity` where they may
 * not meet; there are at least as many columns as rows, and every row has some column that no other row may take.
 */
export function leastCost(costs: readonly (readonly number[])[]): readonly AssignedColumn[] {
  const rows = costs.length;
  const columns = costs[0]?.length ?? 0;
  const state: State = {
    costs,
    columns,
    rowOf: new Int32Array(columns).fill(-1),
    columnOf: new Int32Array(rows).fill(-1),
    rowPrice: new Float64Array(rows),
    columnPrice: new Float64Array(columns),
  };
  for (let row = 0; row < rows; row += 1) augment(state, row);
  return Array.from(state.columnOf, (column, row) => ({
    column,
    cost: costs[row]?.[column] ?? 0,
    margin: exclusionCost(state, row, column),
  }));
}

interface State {
  readonly costs: readonly (readonly number[])[];
  readonly columns: number;
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;
  readonly rowPrice: Float64Array;
  readonly columnPrice: Float64Array;
}

/** Stands for whatever leaves a column free, at no cost. */
const NOBODY = -1;

/** Cost of a pair above the prices of both: 0 on every pair of the assignment, never below. */
function reduced({ costs, rowPrice, columnPrice }: State, row: number, column: number): number {
  const price = columnPrice[column] ?? 0;
  return row === NOBODY ? -price : (costs[row]?.[column] ?? Infinity) - (rowPrice[row] ?? 0) - price;
}

interface Tree {
  readonly distance: Float64Array;
  readonly from: Int32Array;
  readonly settled: readonly number[];
  readonly end: number;
}

/** Shortest alternating paths from a row to the first column that `isEnd`; `barred` is a column it may not begin with. */
function search(state: State, start: number, isEnd: (column: number) => boolean, barred: number): Tree {
  const distance = new Float64Array(state.columns).fill(Infinity);
  const from = new Int32Array(state.columns).fill(NOBODY);
  const done = new Uint8Array(state.columns);
  const settled: number[] = [];
  let row = start;
  let base = 0;
  for (;;) {
    let nearest = -1;
    for (let column = 0; column < state.columns; column += 1) {
      if (done[column] === 1) continue;
      if (row !== start || column !== barred) {
        const through = base + reduced(state, row, column);
        if (through < (distance[column] ?? Infinity)) {
          distance[column] = through;
          from[column] = row;
        }
      }
      if (nearest === -1 || (distance[column] ?? Infinity) < (distance[nearest] ?? Infinity))
        nearest = column;
    }
    const reach = nearest === -1 ? Infinity : (distance[nearest] ?? Infinity);
    if (reach === Infinity) return { distance, from, settled, end: -1 };
    if (isEnd(nearest)) return { distance, from, settled, end: nearest };
    done[nearest] = 1;
    settled.push(nearest);
    row = state.rowOf[nearest] ?? NOBODY;
    base = reach;
  }
}

function augment(state: State, start: number): void {
  const { rowOf, columnOf, rowPrice, columnPrice } = state;
  const { distance, from, settled, end } = search(state, start, (column) => rowOf[column] === NOBODY, -1);
  if (end === -1) throw new RangeError(`least-cost: row ${start} has no column left`);
  const reach = distance[end] ?? 0;
  for (const column of settled) {
    const gain = reach - (distance[column] ?? 0);
    columnPrice[column] = (columnPrice[column] ?? 0) - gain;
    const row = rowOf[column] ?? NOBODY;
    rowPrice[row] = (rowPrice[row] ?? 0) + gain;
  }
  rowPrice[start] = (rowPrice[start] ?? 0) + reach;
  for (let column = end; ; ) {
    const row = from[column] ?? NOBODY;
    const before = columnOf[row] ?? -1;
    rowOf[column] = row;
    columnOf[row] = column;
    if (row === start) return;
    column = before;
  }
}

/** The cheapest way to give `row` another column: round over rows that make room, and back to the one that it leaves. */
function exclusionCost(state: State, row: number, column: number): number {
  const { distance, end } = search(state, row, (candidate) => candidate === column, column);
  return end === -1 ? Infinity : (distance[end] ?? Infinity);
}
