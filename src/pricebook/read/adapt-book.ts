import {
  type BookKind,
  PRICE_BOOK_SCHEMA,
  priceBookSchema,
  priceBookSchemaWithRegex,
} from '../../contracts/price-book.ts';
import { isDeeperThan } from '../../text/json-depth.ts';
import { ADAPTERS } from '../adapters/adapters.ts';
import type { AdapterReading } from '../adapters/book-adapter.ts';
import type { BookText } from '../adapters/book-text.ts';
import { readByFields } from '../adapters/fields/read-by-fields.ts';
import { parsedBy } from '../adapters/parsed-by.ts';
import { isMapping, type UnmappedKeys } from '../adapters/unmapped-keys.ts';
import { type YamlText, yamlText } from '../adapters/yaml-text.ts';
import { readMappedBook } from './mapped-book.ts';
import type { Mapping } from './mapping-file.ts';
import { looksLikeCsv, readCsvBook, readYamlBook } from './yaml-book.ts';

export interface BookOptions {
  /** Only this reader is tried. Default: the one that knows the layout. */
  readonly adapter?: BookKind | 'auto';
  /** For a layout that no adapter knows; with it no other reader is tried. */
  readonly mapping?: Mapping | null;
}

export interface AdaptedText {
  readonly kind: BookKind;
  /** Name of the reader, as coverage shows it. */
  readonly adapter: string;
  readonly reading: AdapterReading;
}

/** Far above the largest lists that are published. A longer text would hold up the process that reads it for seconds. */
const MOST_JSON = 16_000_000;
/** A list that somebody wrote: reading YAML and CSV takes fifty times as long as JSON. */
const MOST_WRITTEN = 1_000_000;

/** Finds the one reader that knows the layout of a book, and reads it. */
export function adaptBook(
  text: string,
  options: BookOptions,
  unmapped: UnmappedKeys,
): AdaptedText | { readonly unreadable: readonly string[] } {
  const { adapter = 'auto', mapping = null } = options;
  if (text.length > MOST_JSON) return tooLong(MOST_JSON, text);
  const json = jsonText(text);
  const isWritten = json === null && (mapping !== null || !beginsAsJson(text));
  if (isWritten && text.length > MOST_WRITTEN) return tooLong(MOST_WRITTEN, text);
  if (mapping !== null) {
    const value = json ?? yamlValue(text);
    if ('unreadable' in value) return value;
    return { kind: 'mapping', adapter: 'mapping', reading: readMappedBook(value.value, mapping, unmapped) };
  }
  if (json === null) return ofTheirOwn(text, adapter, unmapped);
  if (json.twice.length > 0) {
    return { unreadable: json.twice.map((key) => `${JSON.stringify(key)} stands twice in one mapping`) };
  }
  if (isNormalForm(json.value) && (adapter === 'auto' || adapter === 'yaml')) {
    return { kind: 'yaml', adapter: 'normal form', reading: readNormalForm(json.value, null) };
  }
  return byLook(json.value, adapter, unmapped);
}

function byLook(
  value: BookText,
  adapter: BookKind | 'auto',
  unmapped: UnmappedKeys,
): AdaptedText | { readonly unreadable: readonly string[] } {
  const tried = ADAPTERS.filter(({ kind }) => adapter === 'auto' || kind === adapter);
  const sure = tried.filter((each) => each.recognises(value) === 'surely');
  const [found] = sure;
  const reading =
    found === undefined && (adapter === 'auto' || adapter === 'fields')
      ? readByFields(value, unmapped)
      : null;
  if (reading !== null) return { kind: 'fields', adapter: 'fields', reading };
  if (found === undefined) {
    const names = tried.map(({ name }) => name).join(', ');
    return {
      unreadable: [`no adapter knows this layout (tried ${names || 'none'}): a mapping file reads any`],
    };
  }
  if (sure.length > 1) {
    return {
      unreadable: [`the layout is known to ${sure.map(({ name }) => name).join(' and to ')}: name one`],
    };
  }
  return { kind: found.kind, adapter: found.name, reading: found.read(value, unmapped) };
}

/** A price list that somebody wrote. */
function ofTheirOwn(
  text: string,
  adapter: BookKind | 'auto',
  unmapped: UnmappedKeys,
): AdaptedText | { readonly unreadable: readonly string[] } {
  if (adapter === 'csv' || (adapter === 'auto' && looksLikeCsv(text))) {
    return { kind: 'csv', adapter: 'csv', reading: readCsvBook(text, unmapped) };
  }
  if (adapter !== 'auto' && adapter !== 'yaml') return { unreadable: ['expected JSON in UTF-8'] };
  if (beginsAsJson(text)) return { unreadable: ['expected JSON in UTF-8'] };
  const held = yamlText(text);
  if ('unreadable' in held) return held;
  const reading = isNormalForm(held.value) ? readNormalForm(held.value, held) : readYamlBook(held, unmapped);
  return { kind: 'yaml', adapter: isNormalForm(held.value) ? 'normal form' : 'yaml', reading };
}

function beginsAsJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function tooLong(most: number, { length }: string): { readonly unreadable: readonly string[] } {
  return { unreadable: [`expected at most ${most} characters, found ${length}`] };
}

function jsonText(text: string): { readonly value: BookText; readonly twice: readonly string[] } | null {
  try {
    return { value: parseLosslessJson(text), twice: duplicateKeys(text) };
  } catch {
    return null;
  }
}

function yamlValue(text: string): YamlText | { readonly unreadable: readonly string[] } {
  return yamlText(text);
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Deeper than any book: what reads one walks it. */
const MOST_LEVELS = 200;

/**
 * JSON whose numbers come back as the source text of the number (`0.10` → `'0.10'`), so that a price never
 * passes through a double. Throws SyntaxError where JSON.parse does, and for what goes deeper than 200 levels.
 */
function parseLosslessJson(text: string): BookText {
  if (isDeeperThan(MOST_LEVELS, text))
    throw new SyntaxError(`expected at most ${MOST_LEVELS} levels, found more`);
  JSON.parse(text);
  // In well-formed JSON every digit outside a string belongs to a number, so quoting the numbers keeps the structure.
  const quoted = text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`));
  const value: BookText = JSON.parse(quoted);
  return value;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Keys that stand twice in one mapping of a well-formed JSON text: JSON.parse would keep the last in silence. */
export function duplicateKeys(text: string): readonly string[] {
  const open: (Set<string> | null)[] = [];
  const twice = new Set<string>();
  let last: string | null = null;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && last !== null) {
      const keys = open.at(-1);
      if (keys?.has(last) === true) twice.add(String(JSON.parse(last)));
      keys?.add(last);
    }
    last = token.startsWith('"') ? token : null;
  }
  return [...twice];
}

/** Keys of the normal form that hold a number; all others hold text. */
const NUMBERS = ['priority', 'order', 'max_output_tokens'];

/** True for a book that is written in our own form. */
function isNormalForm(value: BookText): boolean {
  return isMapping(value) && value['schema'] === PRICE_BOOK_SCHEMA;
}

/**
 * Reads a book in our own form, which is strict: an unknown key is refused. `places` tells line and column where the
 * text is YAML; such a book is by the user's own hand, so that it may match ids by regular expressions.
 */
function readNormalForm(value: BookText, places: YamlText | null): AdapterReading {
  if (!isMapping(value)) return { unreadable: ['the book: expected a mapping'] };
  const source = { kind: 'yaml', sha256: '', fetched_at: null };
  const schema = places === null ? priceBookSchema : priceBookSchemaWithRegex;
  const parsed = parsedBy(schema, withNumbers({ source, ...value }), places?.at);
  if ('unreadable' in parsed) return parsed;
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
