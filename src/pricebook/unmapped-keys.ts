import { parseNumberText } from '../core/decimal.ts';
import { KNOWN_KEYS, type PriceBookDocument } from './price-book-document.ts';

/** A key that no rule of the adapter reads. */
export interface UnmappedKey {
  readonly path: string;
  /** True when its value holds a figure, so that it may change a price. */
  readonly may_price: boolean;
}

/** All keys of a book that the adapter does not read, in order of appearance. */
export function unmappedKeys(document: PriceBookDocument): readonly UnmappedKey[] {
  const found: UnmappedKey[] = [];
  function check(
    at: string,
    value: Readonly<Record<string, unknown>> | null | undefined,
    known: readonly string[],
  ): void {
    for (const [key, held] of Object.entries(value ?? {})) {
      if (!known.includes(key))
        found.push({ path: at === '' ? key : `${at}.${key}`, may_price: holdsFigure(held) });
    }
  }
  check('', document, KNOWN_KEYS.book);
  check('rounding', document.rounding, KNOWN_KEYS.rounding);
  check('usage_semantics', document.usage_semantics, KNOWN_KEYS.usage_semantics);
  document.models.forEach((model, index) => {
    const at = `models[${index}]`;
    check(at, model, KNOWN_KEYS[model.kind]);
    if (model.kind === 'text') return;
    const known = model.kind === 'image' ? KNOWN_KEYS.image_tier : KNOWN_KEYS.video_tier;
    model.tiers?.forEach((tier, tierIndex) => {
      check(`${at}.tiers[${tierIndex}]`, tier, known);
    });
  });
  document.adjustments?.forEach((adjustment, index) => {
    check(`adjustments[${index}]`, adjustment, KNOWN_KEYS.adjustment);
  });
  return found;
}

function holdsFigure(value: unknown): boolean {
  if (typeof value === 'string') return parseNumberText(value) !== null;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsFigure);
}
