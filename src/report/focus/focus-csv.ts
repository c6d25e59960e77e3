import { isNotOurs } from '../../contracts/match-pass.ts';
import type { BillRow } from '../rows/bill-row.ts';
import { csvLine } from '../words/csv-line.ts';
import { costLines } from './cost-lines.ts';
import { FOCUS_COLUMNS, type FocusBilling, type FocusLine } from './focus-columns.ts';

export interface FocusOptions {
  readonly billing: FocusBilling;
  /** Base address of the gateway, which is the provider as far as is known. */
  readonly target: string;
}

export interface FocusFile {
  readonly text: string;
  /** Rows whose charge or time cannot be read, which no line can hold. */
  readonly left_out: number;
}

/** The last second whose year has four digits. */
const LATEST_MS = Date.UTC(9998, 11, 31);

/** focus.csv: a line for each price line of each row, refunds and what no price explains on lines of their own. */
export function focusCsv(rows: readonly BillRow[], options: FocusOptions): FocusFile {
  const lines = [csvLine(FOCUS_COLUMNS.map(([name]) => name))];
  let leftOut = 0;
  for (const row of rows) {
    if (isNotOurs(row.call?.match ?? 'none')) continue;
    const moment = momentOf(row);
    const costs = costLines(row);
    if (costs === null || (moment === null && costs.length > 0)) leftOut += 1;
    if (costs === null || moment === null) continue;
    for (const [index, cost] of costs.entries()) {
      const line: FocusLine = { row, cost, ...options, moment, first: index === 0 };
      lines.push(csvLine(FOCUS_COLUMNS.map(([, read]) => read(line) ?? '')));
    }
  }
  return { text: lines.join(''), left_out: leftOut };
}

/** When its record is dated, else when its call was sent, else when it was read. */
function momentOf({ call, records, read_ms }: BillRow): number | null {
  const created = (call?.record ?? records[0])?.created_at ?? null;
  const started = call?.started_at ?? null;
  const moments = [
    created === null ? null : created * 1000,
    started === null ? null : Date.parse(started),
    read_ms,
  ];
  return moments.find((ms) => ms !== null && ms >= 0 && ms < LATEST_MS) ?? null;
}
