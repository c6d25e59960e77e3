import type { ModelPrice, PriceComponent, Tiers } from '../../contracts/price-book.ts';
import { parseInstant } from '../../core/time.ts';
import type { UnsupportedPrice } from '../adapters/book-adapter.ts';
import { componentKind, optionsOf } from '../adapters/components.ts';
import { plainModel } from '../adapters/plain-model.ts';
import { rationalText, unitPrice } from '../charge/charge-term.ts';
import type { MappedPrices } from './mapped-rows.ts';
import type { Mapping } from './mapping-file.ts';

/** Rows of one model that hold under the same terms become one entry, those from a length of the input on its tiers. */
export function modelsOfMapped(
  rows: readonly MappedPrices[],
  mapping: Mapping,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const entries = Map.groupBy(
    rows.filter(({ components }) => components.length > 0),
    ({ model, calls, when: { above: _, up_to: __, ...terms } }) => JSON.stringify([model, calls, terms]),
  );
  return [...entries.values()].flatMap((held) => entryOf(held, mapping, unsupported));
}

function entryOf(
  rows: readonly MappedPrices[],
  { constants }: Mapping,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const [first] = rows;
  if (first === undefined) return [];
  const { model, calls, when } = first;
  const leave = (text: string): readonly ModelPrice[] => {
    unsupported.push({ model, text });
    return [];
  };
  const edges = new Map<string, PriceComponent[]>();
  for (const row of rows) {
    const above = edgeOf(row, rows);
    if (above === null)
      return leave(`${row.when.above ?? row.when.up_to}: expected a whole number of tokens`);
    edges.set(above, [...(edges.get(above) ?? []), ...row.components]);
  }
  const apart = new Map([...edges].map(([above, held]) => [above, onePriceEach(held)] as const));
  if ([...apart.values()].some((held) => held === null))
    return leave(
      'several prices for one use: name what tells them apart, such as size, service_tier or above',
    );
  const { 0: base = [] as readonly PriceComponent[], ...higher } = Object.fromEntries(apart);
  if (base === null || base.length === 0) return leave('has prices above a length only, and none below it');
  const { service_tier, group, hours_from, hours_to } = when;
  const from = moment(when.valid_from);
  const to = moment(when.valid_to);
  if (from === undefined || to === undefined)
    return leave(`${when.valid_from ?? ''} to ${when.valid_to ?? ''}: expected days or moments in UTC`);
  const times = [hours_from, hours_to].filter((text) => text !== undefined);
  if (times.length === 1 || !times.every((text) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)))
    return leave(`${times.join(' to ')}: expected two times of day in UTC such as 16:30`);
  const said = {
    ...(service_tier === undefined ? {} : { service_tier }),
    ...(group === undefined ? {} : { group }),
  };
  const thresholds = Object.entries(higher).flatMap(([above, components]) =>
    components === null ? [] : [{ above, components }],
  );
  const tiers: Tiers | null =
    thresholds.length === 0
      ? null
      : {
          basis: constants?.tiers?.basis ?? 'context_len',
          mode: constants?.tiers?.mode ?? 'cliff',
          inclusive: constants?.tiers?.inclusive ?? 'gt',
          thresholds,
        };
  return [
    plainModel(model, first.kind ?? componentKind(base), base, {
      endpoints: calls,
      when: said,
      // What says more wins over what says less.
      priority:
        Object.keys(said).length +
        [calls, from ?? to, hours_from ?? null].filter((held) => held !== null).length,
      valid_from: from,
      valid_to: to,
      time_of_day:
        hours_from === undefined || hours_to === undefined ? null : { from: hours_from, to: hours_to },
      tiers,
      max_output_tokens: first.max_output_tokens,
    }),
  ];
}

/** The length above which a row holds: `0` for all; null where it is no number. A row `up_to` begins where the one before ends. */
function edgeOf({ when: { above, up_to } }: MappedPrices, rows: readonly MappedPrices[]): string | null {
  if (above !== undefined) return /^\d{1,15}$/.test(above) ? String(BigInt(above)) : null;
  const ends = rows.flatMap(({ when }) => (when.up_to === undefined ? [] : [when.up_to]));
  if (!ends.every((end) => /^\d{1,15}$/.test(end))) return null;
  const below = ends.map(BigInt).filter((end) => up_to === undefined || end < BigInt(up_to));
  return String(below.reduce((most, end) => (end > most ? end : most), 0n));
}

/** Null where one use has two prices. */
function onePriceEach(held: readonly PriceComponent[]): readonly PriceComponent[] | null {
  const uses = Map.groupBy(held, optionsOf);
  const differ = [...uses.values()].some(
    (same) => new Set(same.map((component) => rationalText(unitPrice(component)))).size > 1,
  );
  return differ ? null : [...uses.values()].flatMap((same) => same.slice(0, 1));
}

/** Undefined where the text is no moment. */
function moment(text: string | undefined): string | null | undefined {
  if (text === undefined) return null;
  const told = text.includes('T') ? text : `${text}T00:00:00Z`;
  return told.endsWith('Z') && parseInstant(told) !== null ? told : undefined;
}
