import type { PriceCell } from '../../pricebook/cells/price-cell.ts';

/**
 * The cells by which text calls may be accepted. A model is left out of a version where a row could fit more than one
 * of its cells, where its price depends on more than tokens, endpoint, length and time, or was inferred from the bill.
 * With several versions each needs a time in force: else a record could name the wrong one.
 */
export function usableCells(cells: readonly PriceCell[]): readonly PriceCell[] {
  const versions = new Set(
    cells.map(({ pricebook_id, pricing_version }) => key(pricebook_id, pricing_version)),
  );
  const byModel = Map.groupBy(cells, ({ pricebook_id, pricing_version, model }) =>
    key(pricebook_id, pricing_version, model),
  );
  return [...byModel.values()]
    .filter((group) => group.every((cell) => isPlain(cell) && (versions.size === 1 || isDated(cell))))
    .filter(
      (group) => !group.some((cell, index) => group.slice(0, index).some((other) => overlap(cell, other))),
    )
    .flat();
}

function isPlain({ when, p_unit, reasoning, grade, size, quality, resolution }: PriceCell): boolean {
  const options = size === null && quality === null && resolution === null;
  return when === '{}' && p_unit === null && reasoning === 'in' && grade !== 'inferred' && options;
}

function isDated({ valid_from_s, valid_to_s }: PriceCell): boolean {
  return valid_from_s !== null || valid_to_s !== null;
}

function overlap(left: PriceCell, right: PriceCell): boolean {
  const endpoints = left.endpoint === null || right.endpoint === null || left.endpoint === right.endpoint;
  return (
    endpoints &&
    before(left.len_from, right.len_to) &&
    before(right.len_from, left.len_to) &&
    before(left.valid_from_s, right.valid_to_s) &&
    before(right.valid_from_s, left.valid_to_s)
  );
}

/** Whether a stretch that begins at `from` can meet one that ends at `to`; null is without end. */
function before(from: bigint | number | null, to: bigint | number | null): boolean {
  return from === null || to === null || from < to;
}

function key(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
