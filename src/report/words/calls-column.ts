import type { LoadFigures } from '../../contracts/load-result.ts';

/** Logical calls that were sent: a start of a session or of a script of the user's own can make several. */
export function callsOf({ outcomes }: Pick<LoadFigures, 'outcomes'>): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** True where calls and starts differ, so that a column of calls has something to say. */
export function showsCalls(rows: readonly Pick<LoadFigures, 'outcomes' | 'started'>[]): boolean {
  return rows.some((row) => callsOf(row) > row.started);
}
