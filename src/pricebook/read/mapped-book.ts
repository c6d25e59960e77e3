import type { Adjustment } from '../../contracts/price-book.ts';
import { isTokenKind, PAID_KINDS } from '../../core/call-kind.ts';
import type { AdapterReading } from '../adapters/book-adapter.ts';
import type { BookText } from '../adapters/book-text.ts';
import { readByFields } from '../adapters/fields/read-by-fields.ts';
import { validFrom } from '../adapters/gateway-rules.ts';
import { plainAdjustment } from '../adapters/plain-model.ts';
import { priceText } from '../adapters/price-text.ts';
import type { UnmappedKeys } from '../adapters/unmapped-keys.ts';
import { modelsOfMapped } from './mapped-models.ts';
import { type RowsRead, rowsOf } from './mapped-rows.ts';
import type { Mapping } from './mapping-file.ts';
import type { PathHit } from './mapping-path.ts';
import { MappingReader } from './mapping-reader.ts';

/** Reads any layout by a mapping file. Every key that no path of it reaches and `ignore` does not name is listed. */
export function readMappedBook(value: BookText, mapping: Mapping, unmapped: UnmappedKeys): AdapterReading {
  const { lists, constants, groups, book } = mapping;
  const rounding = constants?.rounding;
  const told = rounding && {
    scope: rounding.scope ?? ('untold' as const),
    quantum: rounding.quantum,
    mode: rounding.mode,
    pre: [],
  };
  if (lists.length === 0) {
    const read = readByFields(value, unmapped, mapping.tokens_per);
    if (read === null)
      return { unreadable: ['no field is named as a price: the mapping needs each and fields'] };
    return 'unreadable' in read || told === undefined ? read : { ...read, rounding: told };
  }
  const reader = new MappingReader();
  const root: PathHit = { value, shape: '', keys: [] };
  const read: RowsRead = { reader, mapping, unsupported: [] };
  const rows = [];
  let entries = 0;
  for (const list of lists) {
    const hits = reader.look(root, list.each);
    if (hits.length === 0) return { unreadable: [`${list.each.text || 'each'}: reaches no model`] };
    entries += hits.length;
    rows.push(...hits.flatMap((hit) => rowsOf(hit, list, read)));
  }
  const models = modelsOfMapped(rows, mapping, read.unsupported);
  const adjustments =
    groups === undefined
      ? []
      : reader.look(root, groups.each).flatMap((hit) => factorsOf(hit, groups, reader));
  for (const path of mapping.ignore ?? []) reader.ignore(root, path);
  const id = reader.text(root, book?.id);
  const version = reader.text(root, book?.version);
  const from = validFrom(reader.text(root, book?.effective_at));
  reader.noteUnread(
    root,
    lists.map(({ each }) => each),
    unmapped,
  );
  const includes = constants?.input_includes_cache;
  const cache = includes === undefined ? 'unknown' : includes ? 'yes' : 'no';
  return {
    parts: {
      models,
      adjustments,
      valid_from: from,
      ...(id === null ? {} : { pricebook_id: id }),
      ...(version === null ? {} : { pricing_version: version }),
      usage_semantics: {
        input_includes_cache: cache,
        cache_write_included: cache,
        output_includes_reasoning: 'unknown',
      },
    },
    rounding: told ?? null,
    models_total:
      lists.length === 1 && rows.every(({ when }) => Object.keys(when).length === 0)
        ? entries
        : new Set(rows.map(({ model }) => model)).size,
    unsupported: read.unsupported,
    assumptions: [],
  };
}

function factorsOf(
  hit: PathHit,
  groups: NonNullable<Mapping['groups']>,
  reader: MappingReader,
): readonly Adjustment[] {
  const group = reader.text(hit, groups.name);
  if (group === null) return [];
  const all = priceText(reader.text(hit, groups.factor));
  const shared = all === null ? [] : [plainAdjustment(group, all, { group })];
  return [
    ...shared,
    ...PAID_KINDS.flatMap((endpoint) => {
      const kind = isTokenKind(endpoint) ? 'text' : endpoint === 'video' ? 'video' : 'image';
      const factor = priceText(reader.text(hit, groups[kind]));
      return factor === null ? [] : [plainAdjustment(group, factor, { group, endpoint })];
    }),
  ];
}
