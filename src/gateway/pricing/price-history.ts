import type { Model } from '../models/model.ts';
import { type PriceChange, withChange } from '../prices/price-change.ts';
import type { Readings } from '../readings/readings.ts';
import { FIRST_EDITION, priceBookOf, type ServedPriceBook } from './price-book.ts';

/** The prices between two changes. */
export interface PriceVersion {
  readonly book: ServedPriceBook;
  readonly models: readonly Model[];
}

/** A change that happens by itself: after so many accepted paid calls, or so long after the start. */
export interface BookChange {
  readonly after_calls: number | undefined;
  readonly after_ms: number | undefined;
  readonly change: PriceChange;
}

/** A change as a readings file has it. */
export function bookChangeOf({
  after_calls,
  after_ms,
  ...change
}: Readings['book_changes'][number]): BookChange {
  return { after_calls, after_ms, change };
}

interface PricedVersion extends PriceVersion {
  readonly byId: ReadonlyMap<string, Model>;
}

/** The versions of the price book. A call is charged by the version that was current when it was accepted. */
export class PriceHistory {
  readonly #versions: PricedVersion[];
  readonly #byCalls: readonly BookChange[];
  #accepted = 0;

  constructor(models: readonly Model[], changes: readonly BookChange[] = []) {
    this.#versions = [versionOf(models, FIRST_EDITION.day, 1, FIRST_EDITION.effectiveAt)];
    this.#byCalls = changes.filter(({ after_calls }) => after_calls !== undefined);
  }

  get current(): PriceVersion {
    return this.#newest;
  }

  /** Oldest first. */
  get versions(): readonly PriceVersion[] {
    return this.#versions;
  }

  /** The version before the current one; null while there is but one. */
  get previous(): PriceVersion | null {
    return this.#versions.at(-2) ?? null;
  }

  /** The model of a version at its own prices; null where it has none of this id. */
  modelOf(version: PriceVersion, id: string): Model | null {
    return version.models.find((model) => model.id === id) ?? null;
  }

  /** The same model at current prices. */
  priced<M extends Model>(model: M): M {
    const held = this.#newest.byId.get(model.id);
    return held !== undefined && isLike(held, model) ? held : model;
  }

  /** A paid call was accepted at the current prices: what is to change after it changes now. */
  accepted(now_s: number): void {
    this.#accepted += 1;
    if (this.#byCalls.length === 0) return;
    for (const { after_calls, change } of this.#byCalls) {
      if (after_calls === this.#accepted) this.change(change, now_s);
    }
  }

  /** Makes a further version, in force at once; throws UnknownPrice, and changes nothing then. */
  change(change: PriceChange, now_s: number): PriceVersion {
    const models = withChange(this.#newest.models, change);
    const day = new Date(now_s * 1000).toISOString().slice(0, 10).replaceAll('-', '');
    const made = versionOf(models, day, this.#versions.length + 1, now_s);
    this.#versions.push(made);
    return made;
  }

  get #newest(): PricedVersion {
    const newest = this.#versions.at(-1);
    if (newest === undefined) throw new RangeError('a price history has a version from the start');
    return newest;
  }
}

function versionOf(
  models: readonly Model[],
  day: string,
  sequence: number,
  effectiveAt: number,
): PricedVersion {
  const book = priceBookOf(models, { day, sequence, effectiveAt });
  return { book, models, byId: new Map(models.map((model) => [model.id, model])) };
}

function isLike<M extends Model>(model: Model, other: M): model is M {
  return model.kind === other.kind;
}
