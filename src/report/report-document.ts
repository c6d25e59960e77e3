/** A report before its form: the same sections become Markdown and HTML. */
export interface Section {
  /** Anchor, unique in the report. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'table'; readonly table: Table }
  /** Only in HTML. */
  | { readonly type: 'charts' };

export interface Table {
  readonly columns: readonly Column[];
  /** Plain text; escaped by the renderer. A line break stays one. */
  readonly rows: readonly (readonly string[])[];
}

export interface Column {
  readonly title: string;
  readonly numeric: boolean;
}

export function text(value: string): Block {
  return { type: 'text', text: value };
}

/** A table whose titles that begin with `#` are columns of numbers. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): Block {
  const columns = titles.map((title) => ({ title: title.replace(/^#/, ''), numeric: title.startsWith('#') }));
  return { type: 'table', table: { columns, rows } };
}
