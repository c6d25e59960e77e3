import type { Adjustment, Minimum, ModelPrice, PriceBook, Rounding } from '../../contracts/price-book.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { type AdjustedBy, adjustedBy, adjustmentsFor, isApplied, UNADJUSTED } from './adjust-sum.ts';
import { type ChargeContext, worldsOf } from './charge-context.ts';
import type { ChargeResult } from './charge-result.ts';
import { entriesOf, matchModel } from './match-model.ts';
import { type PointPlan, pointPlan } from './point-plan.ts';
import type { Unpriced } from './unpriced.ts';

/** One price that a call may have been charged by: an entry of a book with what applies to it. */
export interface ChargeWorld {
  readonly entry: ModelPrice;
  readonly rounding: Rounding;
  readonly minimum: Minimum | null;
  readonly applied: readonly Adjustment[];
  readonly by: AdjustedBy;
  /** The same as whole numbers, for facts that are all figures; null where these prices need the long way. */
  readonly plan: PointPlan | null;
  /** Charges of calls without tokens, by their facts: there are few kinds of images and videos. */
  readonly ofUnits: Map<string, ChargeResult>;
}

interface KnownModel {
  readonly adjustments: readonly Adjustment[];
  /** Whether the moment of a call decides which price it has. */
  readonly timed: boolean;
  /** Nothing else of a call does either. */
  readonly plain: boolean;
  readonly worlds: ChargeWorld[];
  readonly byContext: Map<string, readonly (ChargeWorld | Unpriced)[] | null>;
}

/** Books never change, so what is worked out of one holds as long as it does. */
const knownBooks = new WeakMap<PriceBook, Map<string, Map<PaidKind, KnownModel>>>();

/** The prices that hold in the contexts that an incomplete one may stand for; null where they are too many to try. */
export function chargeWorlds(
  book: PriceBook,
  context: ChargeContext,
): readonly (ChargeWorld | Unpriced)[] | null {
  const known = knownModel(book, context);
  if (known.timed) return worked(book, known, context);
  const key = known.plain ? '' : contextKey(context);
  const before = known.byContext.get(key);
  if (before !== undefined) return before;
  const worlds = worked(book, known, context);
  known.byContext.set(key, worlds);
  return worlds;
}

function worked(
  book: PriceBook,
  known: KnownModel,
  context: ChargeContext,
): readonly (ChargeWorld | Unpriced)[] | null {
  const contexts = worldsOf(context, entriesOf(book, context.model), known.adjustments);
  return (
    contexts?.flatMap((complete): readonly (ChargeWorld | Unpriced)[] => {
      const entry = matchModel(book, complete);
      if ('unpriced' in entry) return [entry];
      const applied = known.adjustments.filter((each) => isApplied(each, complete));
      const rule = entry.rounding ?? book.rounding;
      // Where nobody said what is rounded, the charge of either is right.
      const scopes = rule.scope === 'untold' ? (['record', 'component'] as const) : [rule.scope];
      return scopes.map((scope) =>
        worldIn(book, known.worlds, { entry, rounding: { ...rule, scope }, applied }),
      );
    }) ?? null
  );
}

function worldIn(
  book: PriceBook,
  worlds: ChargeWorld[],
  { entry, rounding, applied }: Pick<ChargeWorld, 'entry' | 'rounding' | 'applied'>,
): ChargeWorld {
  const held = worlds.find(
    (world) =>
      world.entry === entry &&
      world.rounding.scope === rounding.scope &&
      world.applied.length === applied.length &&
      world.applied.every((each, index) => each === applied[index]),
  );
  if (held !== undefined) return held;
  const minimum = entry.minimum ?? book.minimum;
  const by = applied.reduce(adjustedBy, UNADJUSTED);
  const plan = pointPlan(book, entry, { rounding, minimum, by });
  const made: ChargeWorld = { entry, rounding, minimum, applied, by, plan, ofUnits: new Map() };
  worlds.push(made);
  return made;
}

function knownModel(book: PriceBook, { model, endpoint }: ChargeContext): KnownModel {
  let models = knownBooks.get(book);
  if (models === undefined) {
    models = new Map();
    knownBooks.set(book, models);
  }
  let kinds = models.get(model);
  if (kinds === undefined) {
    kinds = new Map();
    models.set(model, kinds);
  }
  const before = kinds.get(endpoint);
  if (before !== undefined) return before;
  const adjustments = adjustmentsFor(book, { model, endpoint });
  const entries = entriesOf(book, model);
  const timed =
    entries.some(({ time_of_day }) => time_of_day !== null) ||
    [...entries, ...adjustments].some(({ valid_from, valid_to }) => valid_from !== null || valid_to !== null);
  const plain = adjustments.length === 0 && entries.every(({ when }) => Object.keys(when).length === 0);
  const known: KnownModel = { adjustments, timed, plain, worlds: [], byContext: new Map() };
  kinds.set(endpoint, known);
  return known;
}

/** What is left of a context where the moment does not matter; model and endpoint are told apart before. */
function contextKey({ group, key_fp, when }: ChargeContext): string {
  let key = `${group ?? '\0'}\n${key_fp ?? '\0'}`;
  for (const name in when) key += `\n${name}=${when[name]}`;
  return key;
}
