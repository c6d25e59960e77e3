import type { PriceBook } from '../../contracts/price-book.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { compareText } from '../../core/compare-text.ts';

import type { MismatchedRow, PricedRow } from './mismatched-row.ts';

/** Wrong rows that one line of one price book prices. */
export interface MismatchedCell {
  /** `model/endpoint/pricing version`. */
  readonly id: string;
  readonly model: string;
  readonly endpoint: PaidKind;
  readonly book: PriceBook;
  /** By key. */
  readonly rows: readonly MismatchedRow[];
}

export function cellId({ context, book }: Pick<PricedRow, 'context' | 'book'>): string {
  return `${context.model}/${context.endpoint}/${book.pricing_version}`;
}

/** Cells by id, their rows by key. */
export function priceCells(rows: readonly MismatchedRow[]): readonly MismatchedCell[] {
  const cells = Map.groupBy(rows, (row) => `${cellId(row)} ${row.book.pricebook_id}`);
  return [...cells.values()]
    .flatMap((held) => {
      const [first] = held;
      if (first === undefined) return [];
      return [
        {
          id: cellId(first),
          model: first.context.model,
          endpoint: first.context.endpoint,
          book: first.book,
          rows: held.toSorted((left, right) => compareText(left.key, right.key)),
        },
      ];
    })
    .sort((left, right) => compareText(left.id, right.id));
}
