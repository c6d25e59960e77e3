import type { Finding } from '../../contracts/finding.ts';
import type { ReadLine, ReadOddityKind } from '../../contracts/usage-lines.ts';
import type { JudgedSweep } from '../input/judged-sweep.ts';
import { makeFinding } from './make-finding.ts';
import { evidenceOfRead, oddReads } from './read-evidence.ts';

/**
 * Filtered reads that returned what the filter excludes. A `request_id` also matches the calls that a funding receipt
 * of this id paid for (interface §4), so only a probe with an id that no request has proves anything about it.
 */
export function judgeFilter({ reads }: JudgedSweep): readonly Finding[] {
  const pages = reads.filter(({ read }) => read === 'records' || read === 'request');
  const probes = pages.filter(({ purpose }) => purpose === 'filter');
  const isFirst = ({ page }: ReadLine): boolean => page === null || page === 1;
  const later = pages.filter((page) => !isFirst(page) && !isWiderFromTheFirst(pages, page));
  return [
    ...stray('model', 'stray_model', pages.filter(isFirst)),
    ...stray('request_id', 'stray_request_id', probes.filter(isFirst)),
    ...stray('lost_with_cursor', 'stray_model', later),
  ];
}

/** The first page of its walk was not filtered either: the cursor lost nothing. */
function isWiderFromTheFirst(pages: readonly ReadLine[], page: ReadLine): boolean {
  return pages.some(
    (first) =>
      first.page === 1 &&
      first.sweep === page.sweep &&
      first.model === page.model &&
      first.purpose === page.purpose &&
      first.oddities.some(({ kind }) => kind === 'stray_model'),
  );
}

function stray(rule: string, kind: ReadOddityKind, pages: readonly ReadLine[]): readonly Finding[] {
  const odd = oddReads(pages, kind);
  if (odd === null) return [];
  const where = rule === 'lost_with_cursor' ? 'A page after the first' : 'A filtered read';
  return [
    makeFinding({
      class: 'filter_mismatch',
      rule,
      confidence: 'proved',
      delta: null,
      evidence: [...evidenceOfRead(odd.reads), ...odd.reads.slice(0, 5).flatMap(filterOf)],
      explanation: `${where} returned records that the filter excludes: ${odd.text}.`,
      next_step:
        'Filter by yourself until the operator has mended it; sums of filtered reads are not to be trusted.',
    }),
  ];
}

function filterOf({ model, request_id }: ReadLine): readonly string[] {
  return [
    ...(model === null ? [] : [`filter:model=${model}`]),
    ...(request_id === null ? [] : [`filter:request_id=${request_id}`]),
  ];
}
