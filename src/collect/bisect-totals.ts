import type { LeafFigure, ReadLeaf, UsageWindow } from '../contracts/usage-lines.ts';
import { compareLeaf, figureText } from './compare-leaf.ts';
import { type ReadTotals, readTotals } from './read-totals.ts';
import { addSums, NO_SUMS, type PartSums, sumsOfParts, type WalkLines } from './record-sums.ts';
import type { SweepContext } from './sweep-context.ts';

/** Parts whose sums are formed in one pass over the lines of a walk. */
const GRID = 64;
/** Bad leaves looked for, and reads spent on one figure of one window. */
const MOST_LEAVES = 3;
const MOST_READS = 60;

export interface BisectRequest {
  readonly window: UsageWindow;
  readonly lines: WalkLines;
  readonly figure: LeafFigure;
  /** Which of the ways to form the sum of `figure` (`PartSums`). */
  readonly reading: number;
  /** Of the whole window. */
  readonly totals: bigint;
  /** Two walks of the window agreed, so that a part which its totals confirm is proved. */
  readonly stable: boolean;
}

interface Region extends UsageWindow {
  readonly totals: bigint;
}

/**
 * Looks for the seconds in which totals and records of a window disagree: halves whose own totals confirm their records
 * become leaves, the others are cut further, by second at last and then by model (interface §4: windows are in seconds,
 * half-open). What is left when reads run out is no leaf, hence not proved.
 */
export async function bisectTotals(
  context: SweepContext,
  request: BisectRequest,
): Promise<readonly ReadLeaf[]> {
  const search = new TotalsSearch(context, request);
  return search.run();
}

class TotalsSearch {
  readonly #context: SweepContext;
  readonly #request: BisectRequest;
  readonly #leaves: ReadLeaf[] = [];
  readonly #queue: Region[];
  readonly #firstRead: number;
  #bad = 0;

  constructor(context: SweepContext, request: BisectRequest) {
    this.#context = context;
    this.#request = request;
    this.#queue = [{ ...request.window, totals: request.totals }];
    this.#firstRead = context.state.budget.reads;
  }

  async run(): Promise<readonly ReadLeaf[]> {
    for (let region = this.#queue.shift(); region !== undefined; region = this.#queue.shift()) {
      if (this.#bad >= MOST_LEAVES || this.#spent()) break;
      if (region.end - region.start > 1) await this.#cut(region);
      else await this.#compare(region);
    }
    return this.#leaves.toSorted((left, right) => left.start - right.start);
  }

  #spent(): boolean {
    return this.#context.state.budget.reads - this.#firstRead >= MOST_READS;
  }

  /** Narrows a region to one part of its grid. */
  async #cut(region: Region): Promise<void> {
    const parts = gridOf(region);
    const sums = await sumsOfParts(this.#request.lines, parts);
    let [low, high] = [0, parts.length];
    let totals = region.totals;
    while (high - low > 1) {
      if (this.#spent()) return;
      const middle = (low + high) >> 1;
      const left = joined(parts, low, middle);
      const right = joined(parts, middle, high);
      const [ofLeft, ofRight] = [this.#records(sums, low, middle), this.#records(sums, middle, high)];
      const told = await this.#ask(left);
      if (told === null || ofLeft === null || ofRight === null) return;
      const rest = totals - told.value;
      if (told.value === ofLeft) {
        this.#confirm(left, told.value, told.totals);
        [low, totals] = [middle, rest];
        continue;
      }
      if (rest === ofRight) {
        // By subtraction alone it would rest on the answer that is doubted.
        const own = await this.#ask(right);
        if (own?.value === ofRight) this.#confirm(right, own.value, own.totals);
      } else this.#queue.push({ ...right, totals: rest });
      [high, totals] = [middle, told.value];
    }
    const part = parts[low];
    if (part !== undefined) this.#queue.unshift({ ...part, totals });
  }

  async #compare(region: Region): Promise<void> {
    const { lines, figure, reading } = this.#request;
    const { start, end } = region;
    const leaf = await compareLeaf(this.#context, { window: { start, end }, lines, figure, reading });
    if (leaf === null) return;
    this.#leaves.push(leaf);
    if (leaf.totals !== leaf.records || leaf.served !== leaf.records) this.#bad += 1;
  }

  #confirm(window: UsageWindow, value: bigint, { answerId }: ReadTotals): void {
    const { figure, stable } = this.#request;
    const text = figureText(figure, value);
    const reads = answerId === null ? [] : [answerId];
    const { start, end } = window;
    const both = { totals: text, records: text, served: null, by_page_size: false };
    this.#leaves.push({ start, end, model: null, figure, ...both, stable, reads });
  }

  #records(sums: readonly PartSums[], low: number, high: number): bigint | null {
    const { figure, reading } = this.#request;
    return sums.slice(low, high).reduce(addSums, NO_SUMS)[figure][reading] ?? null;
  }

  async #ask(window: UsageWindow): Promise<{ readonly value: bigint; readonly totals: ReadTotals } | null> {
    const totals = await readTotals(this.#context, { window }, 'bisect');
    if ('failure' in totals) return null;
    const value = totals.figures[this.#request.figure];
    return value === null ? null : { value, totals };
  }
}

/** At most `GRID` parts of whole seconds, without gap or overlap. */
function gridOf({ start, end }: UsageWindow): readonly UsageWindow[] {
  const step = Math.max(1, Math.ceil((end - start) / GRID));
  const count = Math.ceil((end - start) / step);
  return Array.from({ length: count }, (_, index) => ({
    start: start + index * step,
    end: Math.min(end, start + (index + 1) * step),
  }));
}

function joined(parts: readonly UsageWindow[], low: number, high: number): UsageWindow {
  return { start: parts[low]?.start ?? 0, end: parts[high - 1]?.end ?? 0 };
}
