import type { ReadLine, ReadOddityKind } from '../../contracts/usage-lines.ts';
import { compareText } from '../../core/compare-text.ts';

const MOST_READS = 50;

/** `read:<id>` of the answers of these reads, at most 50; an answer that carries no id is named by its content. */
export function evidenceOfRead(reads: readonly ReadLine[]): readonly string[] {
  const ids = reads.flatMap(({ answer_request_id: id, sha256 }) =>
    id !== null ? [`read:${id}`] : sha256 !== null ? [`read:sha256:${sha256.slice(0, 16)}`] : [],
  );
  return [...new Set(ids)].slice(0, MOST_READS);
}

/** The reads that show something odd, the last first, and what the last one says of it. */
export function oddReads(
  reads: readonly ReadLine[],
  kind: ReadOddityKind,
): { readonly reads: readonly ReadLine[]; readonly count: number; readonly text: string } | null {
  const odd = reads
    .filter(({ oddities }) => oddities.some((oddity) => oddity.kind === kind))
    .toSorted((left, right) => compareText(instantKey(right), instantKey(left)));
  const shown = odd[0]?.oddities.find((oddity) => oddity.kind === kind);
  if (shown === undefined) return null;
  const text = shown.text.slice(shown.text.indexOf(': ') + 2);
  return { reads: odd, count: odd.length, text };
}

/** The page that led to this one in the same walk, where it was noted. */
export function pageBefore(reads: readonly ReadLine[], page: ReadLine): readonly ReadLine[] {
  return reads.filter(
    (read) =>
      page.cursor !== null &&
      read.next_cursor === page.cursor &&
      read.page === (page.page ?? 0) - 1 &&
      read.sweep === page.sweep &&
      read.pass === page.pass &&
      read.purpose === page.purpose,
  );
}

/** Orders reads by their moment, whatever order their lines came in. */
export function instantKey(read: ReadLine): string {
  return `${read.read_at} ${JSON.stringify([read.sweep, read.pass, read.page, read.cursor, read.answer_request_id])}`;
}
