import type { ReadFailure } from '../client/read-result.ts';
import type { UsageWindow } from '../contracts/usage-lines.ts';
import { MAX_USAGE_WINDOW_S, SECONDS_PER_DAY } from '../core/time.ts';
import type { GlancedRecord } from './page-oddities.ts';
import { type ReadTotals, readTotals } from './read-totals.ts';
import type { SweepContext } from './sweep-context.ts';
import { type PageWalk, type WalkCheck, walkPages } from './walk-pages.ts';
import type { WalkProof } from './walk-proof.ts';

/** One walk over a window and its totals. */
export interface Pass {
  readonly number: number;
  readonly walk: PageWalk;
  readonly totals: ReadTotals | null;
  readonly reasons: readonly string[];
  readonly failure: ReadFailure | null;
}

/** Records go to the run folder as they are read, or apart until another walk tells what they are worth. */
export async function readPass(context: SweepContext, window: UsageWindow, apart: boolean): Promise<Pass> {
  const { store } = context;
  const number = context.nextPass();
  const walk = await walkPages(context, {
    query: { window },
    read: 'records',
    purpose: 'sweep',
    pass: number,
    sink({ readAt, currency, page, fresh }) {
      const note = { read_at: readAt, by_request_id: false, pass: number, read: page, currency };
      store.records(note, fresh, apart ? walkPart(number) : null);
    },
  });
  const totals = await readTotals(context, { window }, 'sweep', number);
  return 'failure' in totals
    ? { number, walk, totals: null, reasons: [totals.reason], failure: totals.failure }
    : { number, walk, totals, reasons: [], failure: null };
}

export function walkPart(pass: number): string {
  return `walk-${pass}`;
}

/** Null where the pass proves nothing by itself. */
export function proofOf({ walk, totals }: Pass): WalkProof | null {
  if (!walk.complete || totals === null) return null;
  const { records, settled, pending, refunded } = totals.figures;
  return {
    records: walk.digest,
    repeats: walk.repeatDigest,
    totals: [records, settled, pending, refunded].map(String).join(' '),
  };
}

/** Two walks with the same content, and the same totals beside them. */
export function sameProof(left: WalkProof | null, right: WalkProof | null): boolean {
  return (
    left !== null &&
    right !== null &&
    left.records === right.records &&
    left.repeats === right.repeats &&
    left.totals === right.totals
  );
}

/**
 * The windows of at most 31 days (interface §8) that make up `window`: half-open, without gap or overlap, cut at
 * UTC midnights so that no day's sum stands in two of them.
 */
export function usageWindows(window: UsageWindow): readonly UsageWindow[] {
  const windows: UsageWindow[] = [];
  let { start } = window;
  while (start < window.end) {
    const furthest = start + MAX_USAGE_WINDOW_S;
    const end = furthest >= window.end ? window.end : furthest - (furthest % SECONDS_PER_DAY);
    windows.push({ start, end });
    start = end;
  }
  return windows;
}

/** No gateway gives this id to a request: whatever a read of it returns, the filter was not kept. */
const NO_REQUEST = 'weighbridge-probe-of-no-request';
const MIDNIGHT_S = 86_400;

/** The edges of windows, and the filters, by a few free reads of what the sweep has shown. At most 7 reads. */
export async function probeReads(
  context: SweepContext,
  window: UsageWindow,
  samples: readonly GlancedRecord[],
): Promise<void> {
  await probeEdges(context, samples);
  await probeModelFilter(context, window, samples);
  await walkPages(context, {
    query: { window, requestId: NO_REQUEST },
    read: 'records',
    purpose: 'filter',
    mostPages: 1,
  });
}

/** The second of a record belongs to the window that starts with it, and not to the one that ends with it. */
async function probeEdges(context: SweepContext, samples: readonly GlancedRecord[]): Promise<void> {
  const sample = samples.find(({ created_at: at }) => at !== null && at % MIDNIGHT_S === 0) ?? samples[0];
  const second = sample?.created_at ?? null;
  if (sample === undefined || second === null || second < 2) return;
  const edge = { read: 'records', purpose: 'edge' } as const;
  await walkPages(context, {
    ...edge,
    query: { window: { start: second, end: second + 1 } },
    check: expecting(sample),
    mostPages: 2,
  });
  await walkPages(context, { ...edge, query: { window: { start: second - 1, end: second } }, mostPages: 1 });
}

function expecting({ id, request_id, created_at }: GlancedRecord): WalkCheck {
  let seen = false;
  return {
    see(record) {
      seen ||= record.id === id && record.request_id === request_id;
    },
    verdict() {
      const text = `edge_record_lost: record ${id} of ${created_at} is not in the window that starts with its second`;
      return seen ? null : { kind: 'edge_record_lost', count: 1, text };
    },
  };
}

/**
 * Filters by a model of which another one's name goes on, where there is such a pair, first with one record a page: the
 * page after it shows whether the cursor keeps the filter. Then by a name that no model has, cut from that of one.
 */
async function probeModelFilter(
  context: SweepContext,
  window: UsageWindow,
  samples: readonly GlancedRecord[],
): Promise<void> {
  const models = [...new Set(samples.flatMap(({ model }) => model ?? []))].sort();
  const stem = models.find((model) => models.some((other) => other !== model && other.startsWith(model)));
  const model = stem ?? models[0];
  if (model === undefined) return;
  const filter = { read: 'records', purpose: 'filter' } as const;
  if (models.length > 1) {
    await walkPages(context, { ...filter, query: { window, model }, firstLimit: 1, mostPages: 2 });
  }
  const cut = model.slice(0, -1);
  if (cut.length === 0 || models.includes(cut)) return;
  await walkPages(context, { ...filter, query: { window, model: cut }, mostPages: 1 });
}

/** Reads the two seconds around a seam of two windows again, and compares them with what the walks served there. */
export async function probeSeam(
  context: SweepContext,
  seam: number,
  walked: { readonly before: number; readonly after: number },
): Promise<void> {
  let [before, after] = [0, 0];
  await walkPages(context, {
    query: { window: { start: seam - 1, end: seam + 1 } },
    read: 'records',
    purpose: 'seam',
    check: {
      see({ created_at: second }) {
        if (second === seam - 1) before += 1;
        if (second === seam) after += 1;
      },
      verdict() {
        if (before === walked.before && after === walked.after) return null;
        const text =
          `seam_differs: at ${seam} the windows served ${walked.before} records before it and ${walked.after} ` +
          `after it, a read across it ${before} and ${after}`;
        return { kind: 'seam_differs', count: Math.abs(before + after - walked.before - walked.after), text };
      },
    },
  });
}
