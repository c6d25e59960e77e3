import { formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import type { Model } from '../models/model.ts';
import type { PriceVersion } from './price-history.ts';

const MILLION_SCALE = 6;

/** The book as prices of one token, one image or one second, nested by model id. */
export function perTokenBook({ book, models }: PriceVersion): object {
  return {
    version: {
      pricebook_id: book.pricebook_id,
      pricing_version: book.pricing_version,
      effective_at: book.effective_at,
      updated_at: book.updated_at,
    },
    unit: { currency: book.currency, tokens: 1 },
    models: Object.fromEntries(models.map((model) => [model.id, entry(model)])),
  };
}

function entry(model: Model): object {
  switch (model.kind) {
    case 'text':
      return {
        type: 'text',
        pricing: {
          prompt: perToken(model.input),
          completion: perToken(model.output),
          ...(model.cache_read === null ? {} : { input_cache_read: perToken(model.cache_read) }),
          ...(model.cache_write === null ? {} : { input_cache_write: perToken(model.cache_write) }),
        },
        context_length: model.context_window,
      };
    case 'image':
      return {
        type: 'image',
        variants: model.tiers.map(({ price, ...of }) => ({ ...of, pricing: { image: price } })),
      };
    case 'video':
      return {
        type: 'video',
        variants: model.tiers.map(({ price, ...of }) => ({ ...of, pricing: { second: price } })),
      };
  }
}

function perToken(perMillion: string): string {
  const parsed = parseDecimal(perMillion);
  if (parsed === null) throw new RangeError(`price is not a plain decimal: ${perMillion}`);
  return formatDecimal(normalise({ ...parsed, scale: parsed.scale + MILLION_SCALE }));
}
