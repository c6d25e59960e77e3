import { existsSync, rmSync } from 'node:fs';
import { parseInstant, SECONDS_PER_DAY } from '../../core/time.ts';
import { type ArchiveStretch, archivedFile, readArchive } from './archive-index.ts';

/**
 * Takes away documents that were served last more than `days` ago. What was in force at that moment stays, since charges
 * from then on may rest on it; a page of records is no such thing. The index keeps its lines: they say what was served, by its
 * hash. Gives how many files went. Throws `archive_corrupt` (exit 2).
 */
export function pruneArchive(dir: string, days: number, now_ms: number): number {
  const cutoff = now_ms - days * SECONDS_PER_DAY * 1000;
  const stretches = readArchive(dir);
  const kept = new Set<string>();
  for (const series of Map.groupBy(stretches, seriesOf).values()) {
    const inForce = series.findLast(({ first_seen }) => momentOf(first_seen) <= cutoff);
    for (const stretch of series) {
      const isRecent = momentOf(stretch.last_seen) >= cutoff;
      if (isRecent || (stretch === inForce && stretch.what !== 'records'))
        kept.add(archivedFile(dir, stretch));
    }
  }
  let removed = 0;
  for (const file of new Set(stretches.map((stretch) => archivedFile(dir, stretch)))) {
    if (kept.has(file) || !existsSync(file)) continue;
    rmSync(file);
    removed += 1;
  }
  return removed;
}

function seriesOf({ what, part, key_fp }: ArchiveStretch): string {
  return JSON.stringify([what, part, key_fp]);
}

/** A moment that cannot be read keeps its document. */
function momentOf(instant: string): number {
  return parseInstant(instant) ?? Number.POSITIVE_INFINITY;
}
