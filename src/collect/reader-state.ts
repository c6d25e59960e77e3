import { PageSize } from './page-size.ts';
import { ReadBudget } from './read-budget.ts';
import type { WalkProof } from './walk-proof.ts';

/** What a reader learns about one key of a target and keeps from sweep to sweep. */
export interface ReaderState {
  readonly size: PageSize;
  readonly budget: ReadBudget;
  /** What the last walk of each window served: a walk that serves the same again proves it. */
  readonly walks: Map<string, WalkProof>;
}

export function readerState(parts: Partial<Pick<ReaderState, 'size' | 'budget'>> = {}): ReaderState {
  return { size: parts.size ?? new PageSize(), budget: parts.budget ?? new ReadBudget(), walks: new Map() };
}
