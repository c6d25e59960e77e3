import { z } from 'zod';
import type { Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import type { AssumedReadings } from '../records/accepted-sums.ts';
import { TELLING_AMOUNT_SQL, TELLING_CACHE_SQL } from './acceptance-sql.ts';
import { StaleAcceptance } from './stale-acceptance.ts';

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

const keptCell = z.object({ cell: z.number(), content: z.string() });

/**
 * The cells with numbers that stay the same from judgement to judgement. Throws StaleAcceptance where one is missing by
 * which calls were accepted.
 */
export async function numberedCells(
  store: Store,
  cells: readonly PriceCell[],
): Promise<readonly PriceCell[]> {
  const kept = await store.rows('SELECT cell, content FROM kept.cells ORDER BY cell', keptCell);
  const numbers = new Map(kept.map(({ cell, content }) => [content, cell]));
  const contents = cells.map(contentOf);
  const now = new Set(contents);
  if (kept.some(({ content }) => !now.has(content))) throw new StaleAcceptance('prices have changed');
  const added: (readonly [number, string, string])[] = [];
  const numbered = cells.map((cell, index) => {
    const content = contents[index] ?? '';
    let number = numbers.get(content);
    if (number === undefined) {
      number = kept.length + added.length;
      numbers.set(content, number);
      added.push([number, JSON.stringify(cell.model), content]);
    }
    return { ...cell, cell: number };
  });
  await store.append('kept.cells', added);
  return numbered;
}

function contentOf({ cell: _, ...content }: PriceCell): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${String(value)}n` : value,
  );
}

const meaning = z.object({ net: z.number(), gross: z.number() });
const places = z.object({ inside: z.number(), beside: z.number() });

const KEPT_SQL = `SELECT count(*) FILTER (told)::INTEGER AS net, count(*) FILTER (NOT told)::INTEGER AS gross,
  count(*) FILTER (NOT beside)::INTEGER AS inside, count(*) FILTER (beside)::INTEGER AS beside FROM kept.accepted`;

/** Under which readings is accepted: those that were given, else those that the most records of all tell. */
export async function assumedReadings(
  store: Store,
  given: { readonly [Name in keyof AssumedReadings]: AssumedReadings[Name] | null },
): Promise<AssumedReadings> {
  let { amount_meaning, input_includes_cache } = given;
  if (amount_meaning !== null && input_includes_cache !== null)
    return { amount_meaning, input_includes_cache };
  const [kept] = await store.rows(KEPT_SQL, meaning.extend(places.shape));
  if (amount_meaning === null) {
    const [told] = await store.rows(TELLING_AMOUNT_SQL, meaning);
    const [net, gross] = [(told?.net ?? 0) + (kept?.net ?? 0), (told?.gross ?? 0) + (kept?.gross ?? 0)];
    amount_meaning = gross > net ? 'gross' : 'net';
  }
  if (input_includes_cache === null) {
    const [told] = await store.rows(TELLING_CACHE_SQL, places);
    const inside = (told?.inside ?? 0) + (kept?.inside ?? 0);
    const beside = (told?.beside ?? 0) + (kept?.beside ?? 0);
    input_includes_cache = beside > inside ? 'no' : 'yes';
  }
  return { amount_meaning, input_includes_cache };
}
