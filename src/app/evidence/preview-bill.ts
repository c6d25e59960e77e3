import { bucketText } from '../../bill/read/bill-moment.ts';
import { formatTrimmed } from '../../core/decimal.ts';
import { readBillFiles } from '../folder/bill-document.ts';

const SHOWN = 10;

/** A row of a bill as texts; null where it tells nothing. */
interface ShownBillRow {
  readonly start: string;
  readonly end: string;
  readonly model: string | null;
  readonly amount: string | null;
  readonly tokens: string | null;
  readonly requests: string | null;
  readonly item: string;
}

/** A bill as it is understood, before anything is judged. */
export interface BillPreview {
  readonly mapping: string;
  readonly shown: readonly ShownBillRow[];
  readonly rows: number;
  readonly spans: number;
  /** Rows of no model. */
  readonly unassigned: number;
  readonly torn: readonly string[];
}

/** Reads a bill to its end, and keeps nothing. Throws as `readBillFiles`. */
export function previewBill(files: readonly string[], mapping: string | undefined): BillPreview {
  const { lines, spans, torn, mapping: used } = readBillFiles(files, mapping ?? null);
  return {
    mapping: used.name,
    shown: lines.slice(0, SHOWN).map(({ start, end, model, amount, tokens, requests, item }) => ({
      start: bucketText(start),
      end: bucketText(end),
      model,
      amount: amount === null ? null : formatTrimmed(amount),
      tokens: tokens?.toString() ?? null,
      requests: requests?.toString() ?? null,
      item,
    })),
    rows: lines.length,
    spans: spans.length,
    unassigned: lines.filter(({ model }) => model === null).length,
    torn,
  };
}
