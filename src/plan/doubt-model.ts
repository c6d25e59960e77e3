import { nearestName } from '../config/nearest-name.ts';
import type { ScenarioPlan } from '../contracts/plan.ts';
import type { ModelPrice, PriceBook } from '../contracts/price-book.ts';
import { modelFamily } from './choose-models.ts';

const MOST_TIERS = 8;

type Called = Pick<ScenarioPlan, 'model' | 'kind' | 'image' | 'video'>;

/** Why the calls of a scenario will fail: the target's list does not hold its model. Null where it does, or is not known. */
export function unlistedModel({ model }: Called, listedModels: readonly string[] | null): string | null {
  if (listedModels === null || listedModels.includes(model)) return null;
  const near = nearestName(model, listedModels);
  const hint = near === null ? 'GET /v1/models has the ids' : `did you mean ${JSON.stringify(near)}?`;
  return `the target does not list the model ${JSON.stringify(model)}; ${hint}`;
}

/** Why the book gives a scenario no price: no book, no entry, an entry of another kind, or tiers that do not fit. */
export function whyUnpriced(called: Called, book: PriceBook | null): string {
  if (book === null) return 'there is no readable price book';
  const id = JSON.stringify(called.model);
  const entry = book.models.find(({ model }) => model === called.model);
  if (entry === undefined) return `the price book has no entry for the model ${id}`;
  const wanted = modelFamily(called.kind);
  if (entry.kind !== wanted) {
    return `${id} is ${withArticle(entry.kind)} model in the price book, and ${called.kind} calls ${withArticle(wanted)} model`;
  }
  const tiers = tiersOf(entry);
  const unit = entry.kind === 'video' ? 'second' : 'image';
  if (tiers.length === 0) return `the price book has no price per ${unit} for ${id}`;
  const shown = tiers.slice(0, MOST_TIERS).join(', ');
  const rest = tiers.length > MOST_TIERS ? ` and ${tiers.length - MOST_TIERS} more` : '';
  return `the price book has no price of ${id} for ${askedOf(called)}; priced: ${shown}${rest}`;
}

function askedOf({ image, video }: Called): string {
  if (image !== null) return `size ${image.size}, quality ${image.quality}`;
  return video === null ? 'this call' : `${video.seconds} seconds of size ${video.size}`;
}

/** The options that are priced, such as `1024x1024 medium` or `720p`. */
function tiersOf({ kind, components }: ModelPrice): string[] {
  const meter = kind === 'video' ? 'video_second' : 'image';
  const names = components
    .filter((component) => component.meter === meter)
    .map(({ size, quality, resolution }) =>
      [size, quality, resolution].filter((part) => part !== undefined).join(' '),
    );
  return [...new Set(names)].filter((name) => name !== '');
}

function withArticle(family: 'text' | 'image' | 'video'): string {
  return `${family === 'image' ? 'an' : 'a'} ${family}`;
}
