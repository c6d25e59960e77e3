import type { Rounding } from '../../../contracts/price-book.ts';
import { AMOUNT_SCALE } from '../../../core/amount.ts';
import type { BookText } from '../book-text.ts';
import { priceText } from '../price-text.ts';
import { isMapping } from '../unmapped-keys.ts';
import { wordsOf } from './price-name.ts';

type Fields = { readonly [key: string]: BookText };

const MODES: Readonly<Record<string, Rounding['mode']>> = {
  half_up: 'half_up',
  half_even: 'half_even',
  half_down: 'half_down',
  bankers: 'half_even',
  up: 'ceil',
  ceil: 'ceil',
  ceiling: 'ceil',
  down: 'floor',
  floor: 'floor',
  trunc: 'trunc',
  truncate: 'trunc',
};
const EXACT: Rounding = {
  scope: 'none',
  quantum: `0.${'0'.repeat(AMOUNT_SCALE - 1)}1`,
  mode: 'half_up',
  pre: [],
};

/**
 * How a book says that charges are rounded, and the book without that. What is not understood in full stays in the
 * book, where it counts as unread.
 */
export function bookRounding(book: Fields): { readonly rounding: Rounding | null; readonly rest: Fields } {
  const { rounding: told, ...rest } = book;
  const read =
    typeof told === 'string' && /^none\b/i.test(told) ? EXACT : isMapping(told) ? ofFields(told) : null;
  return read === null ? { rounding: null, rest: book } : { rounding: read, rest };
}

function ofFields(told: Fields): Rounding | null {
  let quantum: string | null = null;
  let mode: Rounding['mode'] | null = null;
  let scope: Rounding['scope'] | null = null;
  for (const [key, held] of Object.entries(told)) {
    if (typeof held !== 'string') return null;
    const [word = ''] = wordsOf(key);
    if (word === 'decimals' || word === 'places') {
      if (!/^\d{1,2}$/.test(held) || Number(held) > AMOUNT_SCALE) return null;
      quantum = held === '0' ? '1' : `0.${'0'.repeat(Number(held) - 1)}1`;
    } else if (['quantum', 'step', 'increment'].includes(word)) quantum = priceText(held);
    else if (['mode', 'direction', 'method'].includes(word)) mode = MODES[wordsOf(held).join('_')] ?? null;
    else if (['applied', 'applies', 'scope'].includes(word)) scope = scopeOf(held);
    else return null;
  }
  return quantum === null || mode === null || scope === null ? null : { scope, quantum, mode, pre: [] };
}

function scopeOf(text: string): Rounding['scope'] | null {
  const each = /\b(each|every|per) (line|component|meter)\b/i.test(text) || text === 'component';
  const once = /\bonce\b/i.test(text) || text === 'record';
  return each === once ? null : each ? 'component' : 'record';
}
