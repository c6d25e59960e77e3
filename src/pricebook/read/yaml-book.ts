import { z } from 'zod';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import type { AdapterReading } from '../adapters/book-adapter.ts';
import { type BookRow, modelsOfRows, ROW_KEYS, rowFaults } from '../adapters/book-rows.ts';
import { priceText } from '../adapters/price-text.ts';
import type { UnmappedKeys } from '../adapters/unmapped-keys.ts';
import type { YamlText } from '../adapters/yaml-text.ts';

const MOST_REASONS = 10;

const document = z.looseObject({
  pricebook: z.string().min(1),
  version: z.string().min(1),
  currency: z.literal('USD').optional(),
  rounding: z.looseObject({ quantum: z.string(), mode: z.enum(ROUNDING_MODES) }).optional(),
  input_includes_cache: z.boolean().optional(),
  models: z.array(z.looseObject({ model: z.string() })).min(1),
});

/** A price list as YAML; what is wrong is told by line and column. */
export function readYamlBook({ value, at }: YamlText, unmapped: UnmappedKeys): AdapterReading {
  const parsed = document.safeParse(value);
  if (!parsed.success) {
    return {
      unreadable: parsed.error.issues
        .slice(0, MOST_REASONS)
        .map((issue) => `${at(issue.path)}: ${issue.path.join('.') || 'the book'}: ${issue.message}`),
    };
  }
  const { pricebook, version, rounding, input_includes_cache: includes, models } = parsed.data;
  unmapped.check('', parsed.data, Object.keys(document.shape));
  unmapped.check('rounding', rounding, ['quantum', 'mode']);
  const faults: string[] = [];
  const rows = models.map((entry, index): BookRow => {
    unmapped.check('models[]', entry, ROW_KEYS, entry.model);
    const row: BookRow = Object.fromEntries(
      ROW_KEYS.flatMap((key) => (typeof entry[key] === 'string' ? [[key, entry[key]]] : [])),
    );
    for (const { key, rule } of rowFaults(row)) faults.push(`${at(['models', index, key])}: ${key}: ${rule}`);
    return row;
  });
  if (faults.length > 0) return { unreadable: faults.slice(0, MOST_REASONS) };
  const cache = includes === undefined ? 'unknown' : includes ? 'yes' : 'no';
  return {
    parts: {
      pricebook_id: pricebook,
      pricing_version: version,
      models: modelsOfRows(rows),
      usage_semantics: {
        input_includes_cache: cache,
        cache_write_included: cache,
        output_includes_reasoning: 'unknown',
      },
    },
    rounding:
      rounding === undefined
        ? null
        : {
            scope: 'record',
            quantum: priceText(rounding.quantum) ?? rounding.quantum,
            mode: rounding.mode,
            pre: [],
          },
    models_total: new Set(rows.map(({ model }) => model)).size,
    unsupported: [],
    assumptions: [],
  };
}
