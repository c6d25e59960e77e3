import { formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import type { Model, ModelTextPrices } from '../models/model.ts';
import { ROUNDING_RULES, type RoundingRule } from '../prices/rounding-rule.ts';
import type { Readings } from '../readings/readings.ts';
import { furtherLines } from './further-lines.ts';
import type { PriceVersion } from './price-history.ts';
import { ratioBook } from './ratio-book.ts';

/** One version of the book in the layout of the readings, with or without the rules by which it is charged. */
export function servedBook(version: PriceVersion, readings: Readings): object {
  const rules = readings.book_declares ? declared(readings) : {};
  switch (readings.book_layout) {
    case 'plain': {
      const { rounding: _, usage_semantics: __, ...book } = version.book;
      return { ...book, ...rules };
    }
    case 'ratio':
      return { ...ratioBook(version), ...rules };
    case 'per_token':
      return { ...perTokenBook(version), ...rules };
  }
}

function declared({ rounding, input_tokens }: Readings): object {
  const { decimals, mode }: RoundingRule = ROUNDING_RULES[rounding];
  return {
    rounding: { scope: 'record', quantum: `0.${'1'.padStart(decimals, '0')}`, mode },
    usage_semantics: {
      input_includes_cache: input_tokens === 'with_cache',
      output_includes_reasoning: true,
    },
  };
}

const MILLION_SCALE = 6;
const LINES = { tiers: 'context_pricing', services: 'service_pricing', tools: 'tool_pricing' };

/** The book as prices of one token, one image or one second, nested by model id. */
function perTokenBook({ book, models }: PriceVersion): object {
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
        pricing: pricing(model),
        ...furtherLines(model, LINES, (prices) => ({ pricing: pricing(prices) })),
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

function pricing({ input, output, cache_read, cache_write, reasoning }: ModelTextPrices): object {
  return {
    prompt: perToken(input),
    completion: perToken(output),
    ...(cache_read === null ? {} : { input_cache_read: perToken(cache_read) }),
    ...(cache_write === null ? {} : { input_cache_write: perToken(cache_write) }),
    ...(reasoning === undefined ? {} : { internal_reasoning: perToken(reasoning) }),
  };
}

function perToken(perMillion: string): string {
  const parsed = parseDecimal(perMillion);
  if (parsed === null) throw new RangeError(`price is not a plain decimal: ${perMillion}`);
  return formatDecimal(normalise({ ...parsed, scale: parsed.scale + MILLION_SCALE }));
}
