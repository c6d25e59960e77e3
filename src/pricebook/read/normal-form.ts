import { PRICE_BOOK_SCHEMA, priceBookSchema, priceBookSchemaWithRegex } from '../../contracts/price-book.ts';
import type { AdapterReading } from '../adapters/book-adapter.ts';
import type { BookText } from '../adapters/book-text.ts';
import { isMapping } from '../adapters/unmapped-keys.ts';
import type { YamlText } from '../adapters/yaml-text.ts';

const MOST_REASONS = 10;
/** Keys of the normal form that hold a number; all others hold text. */
const NUMBERS = ['priority', 'order', 'max_output_tokens'];

/** True for a book that is written in our own form. */
export function isNormalForm(value: BookText): boolean {
  return isMapping(value) && value['schema'] === PRICE_BOOK_SCHEMA;
}

/**
 * Reads a book in our own form, which is strict: an unknown key is refused. `places` tells line and column where the
 * text is YAML; such a book is by the user's own hand, so that it may match ids by regular expressions.
 */
export function readNormalForm(value: BookText, places: YamlText | null): AdapterReading {
  if (!isMapping(value)) return { unreadable: ['the book: expected a mapping'] };
  const source = { kind: 'yaml', sha256: '', fetched_at: null };
  const schema = places === null ? priceBookSchema : priceBookSchemaWithRegex;
  const parsed = schema.safeParse(withNumbers({ source, ...value }));
  if (!parsed.success) {
    return {
      unreadable: parsed.error.issues.slice(0, MOST_REASONS).map((issue) => {
        const place = places === null ? '' : `${places.at(issue.path)}: `;
        return `${place}${issue.path.join('.') || 'the book'}: ${issue.message}`;
      }),
    };
  }
  const { rounding, schema: _, source: __, currency: ___, ...parts } = parsed.data;
  return {
    parts,
    rounding,
    models_total: new Set(parts.models.map(({ model }) => model)).size,
    unsupported: [],
    assumptions: [],
  };
}

type Loose = BookText | number | readonly Loose[] | { readonly [key: string]: Loose };

function withNumbers(value: BookText, key = ''): Loose {
  if (typeof value === 'string')
    return NUMBERS.includes(key) && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map((held) => withNumbers(held));
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withNumbers(held, name)]));
}
