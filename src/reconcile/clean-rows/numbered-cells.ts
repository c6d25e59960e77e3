import { z } from 'zod';
import type { Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import { StaleAcceptance } from './stale-acceptance.ts';

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
