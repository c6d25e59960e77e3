import * as z from 'zod';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';
import type { PageSlice, SlicedRead } from '../../hooks/usage-hooks.ts';
import { pageRead } from './read-subject.ts';

/** Pages of records that skip, repeat or never end. */
export const WRONG_PAGE_FAULTS: readonly FaultDefinition[] = [
  pageFault(
    'bill.cursor_skip',
    'A page after the first leaves out the record at its start.',
    (right, read) => (read.later && right.records.length > 0 ? sliceFrom(read, read.from + 1) : null),
  ),
  pageFault(
    'bill.cursor_repeat',
    'A page after the first begins with the last record of the page before it.',
    (right, read) =>
      // A page of one record would be the same one for ever.
      read.later && read.from > 0 && read.limit > 1 && right.records.length > 0
        ? sliceFrom(read, read.from - 1)
        : null,
  ),
  pageFault(
    'bill.cursor_loop',
    'The cursor of a page after the first leads to the same page again, for ever.',
    (right, read) => (read.later && read.from > 0 ? { ...right, next: read.from } : null),
  ),
  pageFault(
    'bill.cursor_unstable',
    'Records change places between pages: one is served twice, and one that should follow it never.',
    (right, { all, from, limit, later }) => {
      const before = all[from - 1];
      if (!later || before === undefined || limit < 2 || right.records.length < limit) return null;
      return { records: [before, ...right.records.slice(0, -1)], next: right.next };
    },
  ),
  defineFault({
    id: 'bill.cursor_has_more_lie',
    summary: 'A page says that it is the last while there are more, or promises more where there are none.',
    charge: 'none',
    shape: {
      variant: z.enum(['ends_early', 'promises_more']).default('ends_early').describe('Which of the two.'),
    },
    applies: pageRead,
    arm: ({ variant }, { fire }) => ({
      slice(right, { all }) {
        const more = right.next !== null;
        if (more !== (variant === 'ends_early') || right.records.length === 0) return null;
        fire();
        return { ...right, next: more ? null : all.length };
      },
    }),
  }),
];

function pageFault(
  id: string,
  summary: string,
  wrong: (right: PageSlice, read: SlicedRead) => PageSlice | null,
): FaultDefinition {
  return defineFault({
    id,
    summary,
    charge: 'none',
    shape: {},
    applies: pageRead,
    arm: (_parameters, { fire }) => ({
      slice(right, read) {
        const given = wrong(right, read);
        if (given !== null) fire();
        return given;
      },
    }),
  });
}

function sliceFrom({ all, limit }: SlicedRead, from: number): PageSlice {
  const to = from + limit;
  return { records: all.slice(from, to), next: to < all.length ? to : null };
}
