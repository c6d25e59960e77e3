import type { ComparedFigure } from '../../contracts/comparison.ts';

/** A report before its form: the same sections become Markdown and HTML. */
export interface Section {
  /** Anchor, unique in the report. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** What a reader of the page sees at once, and what it rests on, which the page keeps closed. */
export interface ReportParts {
  readonly main: readonly Section[];
  readonly evidence: readonly Section[];
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  /** `code` is the name that programs read. */
  | { readonly type: 'heading'; readonly text: string; readonly code: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'table'; readonly table: Table }
  /** What a reader opens when it is wanted; Markdown shows it all. */
  | {
      readonly type: 'fold';
      readonly summary: string;
      readonly open: boolean;
      readonly blocks: readonly Block[];
    }
  | { readonly type: 'waterfall'; readonly steps: readonly WaterfallStep[] }
  /** Only in HTML, for what a table tells too. */
  | { readonly type: 'bars'; readonly bars: StackedBars }
  /** Only in HTML, for what a table tells too. */
  | { readonly type: 'intervals'; readonly figures: readonly ComparedFigure[] }
  /** Only in HTML, for what a table tells too. */
  | { readonly type: 'curve'; readonly curve: Curve }
  /** Only in HTML: a button that puts the text on the clipboard. */
  | { readonly type: 'copy'; readonly label: string; readonly text: string }
  /** Only in HTML. */
  | { readonly type: 'charts' };

/** How one figure moves with another, in units named at the axes. */
export interface Curve {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly points: readonly CurvePoint[];
}

export interface CurvePoint {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly tone: 'good' | 'bad' | 'warning';
}

export interface Table {
  readonly columns: readonly Column[];
  /** Plain text; escaped by the renderer. A line break stays one. */
  readonly rows: readonly (readonly Cell[])[];
  /** So many of the last rows sum up the others: they stay where they are when a reader sorts. */
  readonly totals: number;
}

/** What is read, or that with the exact figure behind it, which a reader sees who points at it. */
export type Cell = string | { readonly text: string; readonly exact: string };

export function cellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

export interface Column {
  readonly title: string;
  readonly numeric: boolean;
  /** Ids, one a line, that a reader may want to take along. */
  readonly copied: boolean;
}

/** USD decimal strings: a sum, or what is added to the sum before it. */
export interface WaterfallStep {
  readonly label: string;
  readonly role: 'sum' | 'change';
  readonly amount: string;
}

export interface StackedBars {
  readonly unit: string;
  readonly rows: readonly {
    readonly label: string;
    readonly parts: readonly { readonly name: string; readonly value: number }[];
  }[];
}

export function text(value: string): Block {
  return { type: 'text', text: value };
}

export function fold(summary: string, blocks: readonly Block[], open = false): Block {
  return { type: 'fold', summary, open, blocks };
}

/** A table whose titles that begin with `#` are columns of numbers, those with `@` of ids to be copied. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  totals = 0,
): Extract<Block, { type: 'table' }> {
  const columns = titles.map((title) => ({
    title: title.replace(/^[#@]/, ''),
    numeric: title.startsWith('#'),
    copied: title.startsWith('@'),
  }));
  return { type: 'table', table: { columns, rows, totals } };
}
