import type { Meter, ModelPrice, PriceComponent } from '../../contracts/price-book.ts';
import type { AdapterReading, UnsupportedPrice } from '../adapters/book-adapter.ts';
import type { BookText } from '../adapters/book-text.ts';
import { componentKind, countOf, overlay } from '../adapters/components.ts';
import { validFrom } from '../adapters/gateway-rules.ts';
import { plainModel } from '../adapters/plain-model.ts';
import { product, ratioOf } from '../adapters/price-text.ts';
import { isMapping, type UnmappedKeys } from '../adapters/unmapped-keys.ts';
import { MAPPED_METERS, type MappedPrice, type Mapping } from './mapping-file.ts';
import { joined, type PathHit, type PathStep, reach } from './mapping-path.ts';

const METER_OF: Readonly<Record<(typeof MAPPED_METERS)[number], Meter>> = {
  input: 'input_token',
  output: 'output_token',
  cache_read: 'cache_read_token',
  cache_write: 'cache_write_token',
  reasoning: 'reasoning_token',
  request: 'request',
  image: 'image',
  video_second: 'video_second',
};

/** Reads any layout by a mapping file. Every key that no path of it reaches and `ignore` does not name is listed. */
export function readMappedBook(value: BookText, mapping: Mapping, unmapped: UnmappedKeys): AdapterReading {
  const seen = new Set<string>();
  const look = (from: PathHit, path: Path | undefined): readonly PathHit[] => {
    const hits = path === undefined ? [] : reach(from.value, path.steps, from.shape);
    for (const { shape } of hits) seen.add(shape);
    return hits;
  };
  const root: PathHit = { value, shape: '', key: null };
  const entries = look(root, mapping.each);
  if (entries.length === 0) return { unreadable: [`${mapping.each.text || 'each'}: reaches no model`] };
  const unsupported: UnsupportedPrice[] = [];
  const models = entries.flatMap((entry) => modelOf(entry, mapping, look, unsupported));
  for (const path of mapping.ignore ?? []) {
    for (const { value: held, shape } of look(root, path)) seeAll(held, shape, seen);
  }
  const id = textAt(look(root, mapping.book?.id));
  const version = textAt(look(root, mapping.book?.version));
  const from = validFrom(textAt(look(root, mapping.book?.effective_at)));
  noteUnread(root, mapping, seen, unmapped);
  const { input_includes_cache: includes, rounding } = mapping.constants ?? {};
  const cache = includes === undefined ? 'unknown' : includes ? 'yes' : 'no';
  return {
    parts: {
      models,
      valid_from: from,
      ...(id === null ? {} : { pricebook_id: id }),
      ...(version === null ? {} : { pricing_version: version }),
      usage_semantics: {
        input_includes_cache: cache,
        cache_write_included: cache,
        output_includes_reasoning: 'unknown',
      },
    },
    rounding:
      rounding === undefined
        ? null
        : { scope: 'record', quantum: rounding.quantum, mode: rounding.mode, pre: [] },
    models_total: entries.length,
    unsupported,
    assumptions: [],
  };
}

interface Path {
  readonly text: string;
  readonly steps: readonly PathStep[];
}
type Look = (from: PathHit, path: Path | undefined) => readonly PathHit[];

function modelOf(
  entry: PathHit,
  mapping: Mapping,
  look: Look,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const { fields, variants, constants } = mapping;
  const model = fields.model === null ? entry.key : textAt(look(entry, fields.model));
  if (model === null || model === '') {
    unsupported.push({ model: entry.shape, text: 'no id of a model stands at fields.model' });
    return [];
  }
  const held: PriceComponent[] = [];
  for (const meter of MAPPED_METERS) {
    const price = fields[meter];
    const component =
      price === undefined ? null : priced(entry, METER_OF[meter], price, held, look, model, unsupported);
    if (component !== null) held.push(component);
  }
  const options = variants === undefined ? [] : look(entry, variants.each);
  const sized = options.flatMap((variant): readonly PriceComponent[] => {
    if (variants === undefined) return [];
    const component = priced(variant, variants.meter, variants.price, held, look, model, unsupported);
    if (component === null) return [];
    const size = textAt(look(variant, variants.size));
    const quality = textAt(look(variant, variants.quality));
    const resolution = textAt(look(variant, variants.resolution));
    return [
      {
        ...component,
        ...(size === null ? {} : { size }),
        ...(quality === null ? {} : { quality }),
        ...(resolution === null ? {} : { resolution }),
      },
    ];
  });
  const components = overlay(held, sized);
  if (components.length === 0) return [];
  const named = textAt(look(entry, fields.kind?.path));
  const kind =
    (named === null ? undefined : fields.kind?.values[named]) ?? constants?.kind ?? componentKind(components);
  return [
    plainModel(model, kind, components, {
      max_output_tokens: countOf(textAt(look(entry, fields.max_output_tokens))),
    }),
  ];
}

function priced(
  from: PathHit,
  meter: Meter,
  { path, per, factor, base }: MappedPrice,
  held: readonly PriceComponent[],
  look: Look,
  model: string,
  unsupported: UnsupportedPrice[],
): PriceComponent | null {
  const text = textAt(look(from, path));
  if (text === null) return null;
  const of = base === undefined ? undefined : held.find((component) => component.meter === METER_OF[base]);
  const price =
    base !== undefined && of === undefined
      ? null
      : product(ratioOf(text), ratioOf(factor ?? '1'), ratioOf(of?.price ?? '1'));
  if (price === null) {
    unsupported.push({ model, text: `${path.text}: ${text} gives no price` });
    return null;
  }
  return { meter, price, per: of?.per ?? per ?? (meter.endsWith('_token') ? '1000000' : '1') };
}

function textAt(hits: readonly PathHit[]): string | null {
  const value = hits[0]?.value;
  return typeof value === 'string' ? value : null;
}

function seeAll(value: BookText, shape: string, seen: Set<string>): void {
  seen.add(shape);
  if (Array.isArray(value)) for (const held of value) seeAll(held, `${shape}[*]`, seen);
  else if (isMapping(value)) {
    for (const [key, held] of Object.entries(value)) seeAll(held, joined(shape, key), seen);
  }
}

/** Walks the book; what lies on the way to something read is read through, all else is noted once. */
function noteUnread(
  root: PathHit,
  mapping: Mapping,
  seen: ReadonlySet<string>,
  unmapped: UnmappedKeys,
): void {
  const ways = new Set<string>(['']);
  for (const shape of seen) {
    for (let at = shape.length; at > 0; at -= 1) {
      if (shape[at] === '.' || shape[at] === '[' || at === shape.length) ways.add(shape.slice(0, at));
    }
  }
  const each = mapping.each.text;
  const visit = (value: BookText, shape: string, model: string | null): void => {
    if (seen.has(shape) && typeof value !== 'object') return;
    if (!ways.has(shape)) {
      unmapped.note(shape, value, model);
      return;
    }
    const below = (key: string): string | null =>
      model ?? (shape.startsWith(each.replace(/(\[\*\]|\.?\*)$/, '')) ? key : null);
    if (Array.isArray(value)) {
      value.forEach((held, index) => {
        const item = `${shape}[${index}]`;
        visit(held, ways.has(item) ? item : `${shape}[*]`, below(String(index)));
      });
    } else if (isMapping(value)) {
      for (const [key, held] of Object.entries(value)) {
        const own = joined(shape, key);
        const any = joined(shape, '*');
        visit(held, ways.has(own) || !ways.has(any) ? own : any, below(key));
      }
    }
  };
  visit(root.value, '', null);
}
