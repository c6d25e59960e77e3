import type { Finding } from '../../contracts/finding.ts';
import type { ReadLeaf, ReadLine, ReadOddityKind } from '../../contracts/usage-lines.ts';
import { compareText } from '../../core/compare-text.ts';
import type { JudgedSweep } from '../input/judged-sweep.ts';
import { makeFinding } from './make-finding.ts';
import { evidenceOfRead, instantKey, oddReads, pageBefore } from './read-evidence.ts';
import { WARRANTS } from './warrants.ts';

/** What one page proves by itself. */
const ON_SIGHT: readonly (readonly [ReadOddityKind, string])[] = [
  ['cursor_repeated', 'led to a cursor that had been followed before'],
  ['cursor_missing', 'promised more without a cursor to it'],
  ['empty_page_with_more', 'held no record and promised more'],
  ['promised_nothing', 'held no record, though the page before promised more'],
];
/** Lawful, for one id is one record and a page may be empty: told, so that a reader knows what was read past. */
const LAWFUL: ReadonlySet<string> = new Set(['empty_page_with_more', 'promised_nothing', 'overlap']);
const NEAREST_PAGES = 40;

const NEXT_STEP =
  'Rest no claim on this window until it reads whole; give the operator the ids of the reads.';

/** Pages that loop, promise, skip or repeat. */
export function judgePaging(sweep: JudgedSweep): readonly Finding[] {
  const pages = sweep.reads.filter(({ read }) => read === 'records' || read === 'request');
  return [
    ...ON_SIGHT.flatMap(([kind, what]) => onSight(pages, kind, what)),
    ...repeatedPage(sweep, pages),
    ...overlap(sweep),
    ...[...Map.groupBy(sweep.proof.leaves.filter(isLostByPages), ruleOf)].map(([rule, leaves]) =>
      leavesFinding(sweep, rule, leaves),
    ),
  ];
}

/**
 * True where the page of a leaf alone confirms its totals, and the pages of the walk held more or fewer of it; or where
 * pages of another size hold other records.
 */
export function isLostByPages(leaf: ReadLeaf): boolean {
  const { figure, stable, totals, records, served, by_page_size: sized } = leaf;
  return (
    figure === 'records' && stable && served !== null && (sized || (served === totals && served !== records))
  );
}

function onSight(pages: readonly ReadLine[], kind: ReadOddityKind, what: string): readonly Finding[] {
  const odd = oddReads(pages, kind);
  if (odd === null) return [];
  const evidence = odd.reads.flatMap((page) => [page, ...pageBefore(pages, page)]);
  const times = odd.count === 1 ? 'A page' : `${odd.count} pages`;
  return [paging(kind, evidenceOfRead(evidence), `${times} ${what}; the last at ${odd.text}.`)];
}

/** A whole page that comes again: pages that are shifted by new records look like it once, but not in two walks. */
function repeatedPage(sweep: JudgedSweep, pages: readonly ReadLine[]): readonly Finding[] {
  const odd = oddReads(pages, 'page_repeated');
  const sweeps = new Set(odd?.reads.map((read) => read.sweep));
  if (odd === null || sweeps.size < 2 || sweep.complete !== null) return [];
  const text = `In ${sweeps.size} sweeps a page came again as a whole under another cursor; the last at ${odd.text}.`;
  return [paging('page_repeated', evidenceOfRead(odd.reads), text)];
}

/** Records that the judged walk was served twice, though the totals and a second walk with the same repeats count one. */
function overlap({ own_reads, proof }: JudgedSweep): readonly Finding[] {
  const ends = own_reads.filter(({ read }) => read === 'sweep_end');
  const counted = ends.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const walked = own_reads.filter(
    ({ read, pass, sweep }) =>
      read === 'records' &&
      ends.some((end) => end.sweep === sweep && end.judged_passes?.includes(pass ?? 0) === true),
  );
  const served = walked.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const odd = oddReads(walked, 'records_repeated');
  const isStable = proof.leaves.length > 0 && proof.leaves.every(({ stable }) => stable);
  if (odd === null || served <= counted || !isStable) return [];
  const text =
    `The pages served ${served} records where there are ${counted}: ${served - counted} of them stood on an ` +
    'earlier page already, in two walks alike.';
  return [paging('overlap', evidenceOfRead(odd.reads), text)];
}

type LeafRule = 'page_size' | 'gap' | 'overlap_of_leaf';

function ruleOf({ by_page_size: sized, records, served }: ReadLeaf): LeafRule {
  if (sized) return 'page_size';
  return BigInt(records ?? 0) < BigInt(served ?? 0) ? 'gap' : 'overlap_of_leaf';
}

/** The pages nearest to the leaves are named too: between two of them records were lost. */
function leavesFinding({ own_reads }: JudgedSweep, rule: LeafRule, leaves: readonly ReadLeaf[]): Finding {
  const distance = ({ oldest, newest }: ReadLine): number =>
    oldest === null || newest === null
      ? Infinity
      : Math.min(...leaves.map(({ start }) => Math.max(0, oldest - start, start - newest)));
  const near = own_reads
    .filter(({ read, purpose }) => read === 'records' && purpose === 'sweep')
    .toSorted(
      (left, right) => distance(left) - distance(right) || compareText(instantKey(left), instantKey(right)),
    )
    .slice(0, NEAREST_PAGES);
  const evidence = [
    ...evidenceOfRead(near),
    ...leaves.flatMap(({ start, end, reads }) => [
      `leaf:${start}-${end}`,
      ...reads.map((id) => `read:${id}`),
    ]),
  ];
  return paging(rule, evidence, leavesText(rule, leaves));
}

function leavesText(rule: LeafRule, leaves: readonly ReadLeaf[]): string {
  const [first] = leaves;
  if (first === undefined) return '';
  const { start, end, records, served, totals } = first;
  const further = leaves.length === 1 ? '' : ` ${leaves.length - 1} more such places were found.`;
  if (rule === 'page_size') {
    return `For ${start}–${end} pages of one size serve ${served} records, pages of another size others, and the totals say ${totals}.${further}`;
  }
  return (
    `Pages of the period ${rule === 'gap' ? 'skip' : 'repeat'} records: for ${start}–${end} they served ${records}, ` +
    `a page of these seconds alone ${served}, and the totals say ${totals}.${further}`
  );
}

function paging(rule: string, evidence: readonly string[], explanation: string): Finding {
  return makeFinding({
    class: 'page_gap_or_overlap',
    rule,
    warrant: WARRANTS.pages,
    confidence: 'proved',
    ...(LAWFUL.has(rule) ? { severity: 'S4' as const } : {}),
    delta: null,
    evidence,
    explanation,
    next_step: NEXT_STEP,
  });
}
