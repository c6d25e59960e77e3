import type { ReadLine } from '../../contracts/usage-lines.ts';

/** That no sweep is complete, and what broke the last one; of several reasons the first, the report lists all. */
export function incompleteText(reads: readonly ReadLine[]): string {
  const [first, ...more] = reads.findLast(({ read }) => read === 'sweep_end')?.reasons ?? [];
  const why = first === undefined ? '' : `: ${first}${more.length === 0 ? '' : `, and ${more.length} more`}`;
  return `no sweep of the usage records is complete${why}`;
}
