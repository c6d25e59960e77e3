import type { LeafFigure, ReadLeaf, UsageWindow } from '../contracts/usage-lines.ts';
import { formatAmount } from '../core/amount.ts';
import { type ReadTotals, readTotals } from './read-totals.ts';
import { addSums, NO_SUMS, type PartSums, sumsByModel, sumsOf, type WalkLines } from './record-sums.ts';
import type { SweepContext } from './sweep-context.ts';
import { walkPages } from './walk-pages.ts';

const MOST_MODELS = 5;

export interface LeafRequest {
  readonly window: UsageWindow;
  readonly lines: WalkLines;
  readonly figure: LeafFigure;
  readonly reading: number;
}

interface LeafRead {
  /** It came on one page that had room for more. */
  readonly whole: boolean;
  /** It holds records of other seconds: what it counts says nothing about this one. */
  readonly strays: boolean;
  readonly totals: ReadTotals;
  readonly digest: string;
  readonly served: PartSums;
  readonly answers: readonly string[];
}

/**
 * Reads records and totals of a leaf by itself, twice, and sets both beside what the sweep served for it: a page lost
 * what the leaf's own page shows; totals that differ from that page twice are wrong; what differs between both reads
 * still moves. Null where a read failed.
 */
export async function compareLeaf(context: SweepContext, request: LeafRequest): Promise<ReadLeaf | null> {
  const { window, lines, figure, reading } = request;
  const first = await readLeaf(context, window);
  const second = first === null ? null : await readLeaf(context, window);
  if (first === null || second === null) return null;
  const walked = await sumsByModel(lines, window);
  const records = [...walked.values()].reduce(addSums, NO_SUMS)[figure][reading] ?? null;
  const served = second.served[figure][reading] ?? null;
  const totals = second.totals.figures[figure];
  const sized = await dependsOnPageSize(context, window, second);
  const agreed = first.digest === second.digest && first.totals.figures[figure] === totals;
  const stable = agreed && sized !== null && !second.strays;
  const model = totals === served ? null : await modelOf(context, request, second.totals, walked);
  return {
    start: window.start,
    end: window.end,
    model,
    figure,
    totals: figureText(figure, totals),
    records: figureText(figure, records),
    served: figureText(figure, served),
    by_page_size: sized === true,
    stable,
    reads: [...first.answers, ...second.answers].slice(0, 10),
  };
}

async function readLeaf(context: SweepContext, window: UsageWindow): Promise<LeafRead | null> {
  let served = NO_SUMS;
  const walk = await walkPages(context, {
    query: { window },
    read: 'records',
    purpose: 'bisect',
    sink({ fresh, repeats }) {
      for (const text of [...fresh, ...repeats]) served = addSums(served, sumsOf(JSON.parse(text)));
    },
  });
  const totals = await readTotals(context, { window }, 'bisect');
  if (!walk.complete || 'failure' in totals) return null;
  const answers = [...walk.answers, ...(totals.answerId === null ? [] : [totals.answerId])];
  const { limit } = context.state.size;
  const whole = walk.pages === 1 && limit !== null && walk.records < limit;
  const strays = walk.oddities.has('outside_window');
  return { whole, strays, totals, digest: walk.digest + walk.repeatDigest, served, answers };
}

/**
 * Whether pages of half the size serve other records: asked only where a leaf fills its page, so that its own read may
 * lose what the sweep lost. Null where the target takes no page size from us, so that nothing tells.
 */
async function dependsOnPageSize(
  context: SweepContext,
  window: UsageWindow,
  read: LeafRead,
): Promise<boolean | null> {
  if (read.whole || read.served.records[0] === read.totals.figures.records) return false;
  const { limit } = context.state.size;
  if (limit === null || limit < 2) return null;
  const query = { window };
  const halved = Math.floor(limit / 2);
  const walk = await walkPages(context, { query, read: 'records', purpose: 'bisect', limit: halved });
  return walk.digest + walk.repeatDigest !== read.digest;
}

/** The model of a leaf whose own totals contradict its records; null where no single one does. */
async function modelOf(
  context: SweepContext,
  { window, figure, reading }: LeafRequest,
  totals: ReadTotals,
  walked: ReadonlyMap<string, PartSums>,
): Promise<string | null> {
  const models = [...new Set([...walked.keys(), ...modelsOf(totals.body['by_model'])])].sort();
  if (models.length === 1) return models[0] ?? null;
  for (const model of models.slice(0, MOST_MODELS)) {
    const told = await readTotals(context, { window, model }, 'bisect');
    if ('failure' in told) return null;
    if (told.figures[figure] !== (walked.get(model) ?? NO_SUMS)[figure][reading]) return model;
  }
  return null;
}

function modelsOf(parts: unknown): readonly string[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) => {
    const model: unknown = typeof part === 'object' && part !== null ? Reflect.get(part, 'model') : null;
    return typeof model === 'string' ? [model] : [];
  });
}

/** A count as it is, an amount as a USD decimal. */
export function figureText(figure: LeafFigure, value: bigint): string;
export function figureText(figure: LeafFigure, value: bigint | null): string | null;
export function figureText(figure: LeafFigure, value: bigint | null): string | null {
  if (value === null) return null;
  return figure === 'records' ? value.toString() : formatAmount(value);
}
