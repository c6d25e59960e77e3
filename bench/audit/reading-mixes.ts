import { OWN_READINGS, type Readings } from '../../src/gateway/readings/readings.ts';

/** Ways in which a gateway may read what its interface leaves open, each with a name for tables. */
const READING_MIXES = {
  own: {},
  'gross-settlement': { amount: 'gross', created_at: 'settlement', amount_form: 'padded' },
  'without-cache-ratio': { input_tokens: 'without_cache', book_layout: 'ratio' },
  'offset-other-values': { cursor: 'offset', values: 'other', page_default: 7, page_max: 40 },
  'per-token-12': {
    book_layout: 'per_token',
    rounding: 'half_up_12',
    order: 'oldest_first',
    cursor: 'record_id',
  },
  'undeclared-even': { book_declares: false, rounding: 'half_even_8' },
  'no-ids': { request_id: 'errors_only' },
} as const satisfies Readonly<Record<string, Partial<Readings>>>;

export type MixName = keyof typeof READING_MIXES;

export function readingsOf(name: MixName): Readings {
  return { ...OWN_READINGS, ...READING_MIXES[name] };
}

export function isMixName(name: string): name is MixName {
  return Object.hasOwn(READING_MIXES, name);
}

export const MIX_NAMES: readonly MixName[] = [
  'own',
  'gross-settlement',
  'without-cache-ratio',
  'offset-other-values',
  'per-token-12',
  'undeclared-even',
  'no-ids',
];
