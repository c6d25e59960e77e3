import { z } from 'zod';
import type { BookAdapter } from './book-adapter.ts';
import { perMillion } from './components.ts';
import { parsedBy } from './parsed-by.ts';
import { plainModel } from './plain-model.ts';
import { priceText } from './price-text.ts';
import { isMapping, type UnmappedKeys } from './unmapped-keys.ts';

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day')
  .nullable();
const price = z.string().refine((text) => priceText(text) !== null, 'expected a number of at least 0');

const period = z.looseObject({
  input: price,
  output: price,
  input_cached: price.nullish(),
  from_date: day.nullish(),
  to_date: day.nullish(),
});
const PERIOD_KEYS = Object.keys(period.shape);

const vendorFile = z.looseObject({
  vendor: z.string(),
  models: z.array(z.looseObject({ id: z.string().min(1), price_history: z.array(period) })),
});

const historyFile = z.looseObject({
  prices: z.array(z.looseObject({ id: z.string().min(1), vendor: z.string(), ...period.shape })),
});

/** llm-prices: the history of one vendor, or the file of all of them. */
export const llmPrices: BookAdapter = {
  kind: 'llm-prices',
  name: 'llm-prices',
  recognises(value) {
    if (!isMapping(value)) return 'no';
    const { models, prices } = value;
    const model: unknown = Array.isArray(models) ? models[0] : undefined;
    const row: unknown = Array.isArray(prices) ? prices[0] : undefined;
    const history = typeof model === 'object' && model !== null && 'price_history' in model;
    return history || (typeof row === 'object' && row !== null && 'vendor' in row && 'id' in row)
      ? 'surely'
      : 'no';
  },
  read(value, unmapped) {
    const rows =
      isMapping(value) && 'prices' in value ? allVendors(value, unmapped) : oneVendor(value, unmapped);
    if ('unreadable' in rows) return rows;
    return {
      parts: {
        models: rows.rows.map(({ id, held }) =>
          plainModel(
            id,
            'text',
            [
              ...perMillion('input_token', priceText(held.input)),
              ...perMillion('output_token', priceText(held.output)),
              ...perMillion('cache_read_token', priceText(held.input_cached)),
            ],
            { valid_from: midnight(held.from_date), valid_to: midnight(held.to_date) },
          ),
        ),
      },
      rounding: null,
      models_total: rows.models,
      unsupported: [],
      assumptions: ['a price holds from its from_date until its to_date, midnight UTC, the last day outside'],
    };
  },
};

interface Row {
  readonly id: string;
  readonly held: z.infer<typeof period>;
}
type Rows =
  | { readonly rows: readonly Row[]; readonly models: number }
  | { readonly unreadable: readonly string[] };

function oneVendor(value: Parameters<BookAdapter['read']>[0], unmapped: UnmappedKeys): Rows {
  const parsed = parsedBy(vendorFile, value);
  if ('unreadable' in parsed) return parsed;
  unmapped.check('', parsed.data, ['vendor', 'models']);
  const rows = parsed.data.models.flatMap((model) => {
    unmapped.check('models[]', model, ['id', 'name', 'price_history'], model.id);
    return model.price_history.map((held) => {
      unmapped.check('models[].price_history[]', held, PERIOD_KEYS, model.id);
      return { id: model.id, held };
    });
  });
  return { rows, models: parsed.data.models.length };
}

function allVendors(value: Parameters<BookAdapter['read']>[0], unmapped: UnmappedKeys): Rows {
  const parsed = parsedBy(historyFile, value);
  if ('unreadable' in parsed) return parsed;
  unmapped.check('', parsed.data, ['updated_at', 'prices']);
  const rows = parsed.data.prices.map((held) => {
    unmapped.check('prices[]', held, [...PERIOD_KEYS, 'id', 'vendor', 'name'], held.id);
    return { id: held.id, held };
  });
  return { rows, models: new Set(rows.map(({ id }) => id)).size };
}

function midnight(date: string | null | undefined): string | null {
  return date === null || date === undefined ? null : `${date}T00:00:00.000Z`;
}
