import type { HazardSeen, ReadLeaf, ReadLine, UsageTotalsLine } from '../../contracts/usage-lines.ts';
import { parseInstant } from '../../core/time.ts';

/** How far it is proved that the judged sweep read every record there was. */
export interface CompletenessProof {
  /** Every part of the period is proved. */
  readonly proved: boolean;
  readonly leaves: readonly ReadLeaf[];
  readonly hazards: readonly HazardSeen[];
  /** Unix second in which the judged walk began; what is dated later could still come. Null without any read. */
  readonly until: number | null;
}

export interface ProofParts {
  /** The ends of the judged sweep, one a key. */
  readonly ends: readonly ReadLine[];
  readonly reads: readonly ReadLine[];
  readonly totals: readonly UsageTotalsLine[];
  /** Records of the sweep that count. */
  readonly records: number;
}

export function completenessProof(parts: ProofParts): CompletenessProof {
  const { ends, reads } = parts;
  const complete = ends.length > 0 && ends.every((end) => end.complete === true);
  const leaves = ends.flatMap((end) => end.leaves ?? olderLeaves(end, parts));
  const began = beganMs(reads);
  return {
    proved: complete && leaves.length > 0 && leaves.every((leaf) => !isCount(leaf) || isSound(leaf)),
    leaves: complete ? leaves : [],
    hazards: ends.flatMap((end) => end.hazards ?? []),
    until: began === null ? null : Math.floor(began / 1000),
  };
}

/** When the first page of these reads was served, milliseconds since the epoch; null without any. */
export function beganMs(reads: readonly ReadLine[]): number | null {
  return reads.reduce<number | null>((least, { read, purpose, read_at }) => {
    const ms = read === 'records' && (purpose ?? 'sweep') === 'sweep' ? parseInstant(read_at) : null;
    return ms === null ? least : Math.min(ms, least ?? ms);
  }, null);
}

/**
 * True where a record created in this Unix second would have been read: two walks of its part served the same, and its
 * totals count what they served. Only there the absence of a record says anything.
 */
export function isProved({ leaves, until }: CompletenessProof, second: number): boolean {
  if (until === null || second > until) return false;
  const own = leaves.filter((leaf) => isCount(leaf) && second >= leaf.start && second < leaf.end);
  return own.length > 0 && own.every(isSound);
}

/** A leaf of sums says nothing about which records there are. */
function isCount({ figure }: ReadLeaf): boolean {
  return figure === 'records';
}

function isSound({ stable, totals, records, served, by_page_size: sized }: ReadLeaf): boolean {
  return stable && !sized && totals !== null && totals === records && (served === null || served === records);
}

/** Folders of older versions hold no leaves: there a whole sweep counts, unless its totals count otherwise. */
function olderLeaves({ window, count }: ReadLine, { totals, records }: ProofParts): readonly ReadLeaf[] {
  if (window === null) return [];
  const own = count ?? records;
  const counts = totals.map(({ totals: body }) => {
    const count: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'records') : null;
    return typeof count === 'number' ? count : null;
  });
  const told = counts.length === 0 || counts.includes(null) ? own : counts.reduce(plus, 0);
  const both = { totals: String(told), records: String(own), served: null, by_page_size: false };
  return [{ ...window, model: null, figure: 'records', ...both, stable: true, reads: [] }];
}

function plus(left: number | null, right: number | null): number {
  return (left ?? 0) + (right ?? 0);
}
