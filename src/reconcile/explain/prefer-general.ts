import type { FaultClass } from '../../contracts/fault-class.ts';
import type { CellExplanation, Explained } from './explain-cell.ts';
import { fits, type Hypothesis, suffices } from './hypothesis.ts';

/** Prices that the book itself states for the model: several rows at such a price are no chance. */
const STATED: ReadonlySet<FaultClass> = new Set(['service_tier_price', 'tier_not_applied']);

/**
 * One cause for all models is simpler than a cause for each: where an explanation that is tied to no model was found at
 * one of them, it also explains the rows of others that it fits, unless theirs is as general and found elsewhere too.
 */
export function preferGeneral(cells: readonly CellExplanation[]): readonly CellExplanation[] {
  const models = new Map<string, Set<string>>();
  const general = new Map<string, Hypothesis>();
  for (const { hypothesis, rows, cell } of cells.flatMap(({ explained }) => explained)) {
    if (!hypothesis.general || !suffices(hypothesis, rows)) continue;
    general.set(hypothesis.name, hypothesis);
    models.set(hypothesis.name, (models.get(hypothesis.name) ?? new Set()).add(cell.model));
  }
  if (general.size === 0) return cells;
  const found = [...general.values()].sort((left, right) => left.rank - right.rank);
  function elsewhere(name: string, model: string): boolean {
    return [...(models.get(name) ?? [])].some((other) => other !== model);
  }
  function better({ hypothesis, rows, cell }: Explained): Hypothesis | undefined {
    if (hypothesis.general && elsewhere(hypothesis.name, cell.model)) return undefined;
    if (STATED.has(hypothesis.class) && suffices(hypothesis, rows)) return undefined;
    return found.find((other) => elsewhere(other.name, cell.model) && rows.every((row) => fits(other, row)));
  }
  return cells.map(({ cell, explained, open }) => {
    const swapped = explained.map((held): Explained => {
      const other = better(held);
      return other === undefined
        ? held
        : { ...held, hypothesis: other, others: [held.hypothesis, ...held.others] };
    });
    const joined: Explained[] = [];
    const left = open.filter(({ row }) => {
      const other = found.find((hypothesis) => fits(hypothesis, row));
      if (other === undefined) return true;
      joined.push({ cell, rows: [row], hypothesis: other, others: [] });
      return false;
    });
    return { cell, explained: [...swapped, ...joined], open: left };
  });
}
