import type { CoverageSetting } from '../../contracts/coverage-result.ts';
import { usd } from './figure-text.ts';

/** Each point in a reader's words, with the name by which `--assume-reading` reads it otherwise; null where nothing does. */
const POINTS: Readonly<Record<string, { readonly point: string; readonly flag: string | null }>> = {
  amount_meaning: { point: 'Is a refund taken off the amount', flag: 'amount' },
  unused_reserve: { point: 'How the unused part of a reserve ends', flag: null },
  failed_task: { point: 'What a failed task leaves', flag: null },
  created_at: { point: 'When a record is dated', flag: 'created_at' },
  rounding: { point: 'How a charge is rounded', flag: 'rounding' },
  price_edition: { point: 'Which price list holds', flag: null },
  factor: { point: 'What stands over the list price', flag: null },
  input_includes_cache: { point: 'Are cached tokens inside the input', flag: 'input_tokens' },
  output_includes_reasoning: { point: 'Is reasoning inside the output', flag: 'output_tokens' },
  cache_without_price: { point: 'Cached tokens without a price', flag: null },
  totals_settled: { point: 'What the settled total sums', flag: 'totals_settled' },
  totals_pending: { point: 'What the pending total sums', flag: 'totals_pending' },
  totals_refunded: { point: 'What the refunded total sums', flag: 'totals_refunded' },
  request_id: { point: 'Do answers tell the id of their record', flag: null },
  cut_stream: { point: 'Is a cut stream charged', flag: 'aborted' },
};

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  amount_meaning: { net: 'yes (net)', gross: 'no (gross)' },
  totals_settled: {
    amount: 'amounts of settled records',
    amount_less_refunded: 'those of settled records, less refunds',
    amount_with_refunded: 'those of settled records, with refunds',
    final_amount: 'amounts of all final records',
    final_less_refunded: 'those of all final records, less refunds',
    final_with_refunded: 'those of all final records, with refunds',
  },
  totals_pending: { reserved: 'reserves', amount: 'amounts', none: 'nothing' },
  totals_refunded: { all: 'refunds of all records', refunded_only: 'refunds of refunded records' },
};

const ROLES: Readonly<Record<string, string>> = {
  settled: 'final',
  pending: 'open',
  refunded: 'given back',
  waived: 'final and free',
  unknown: 'not told',
};

const BASES: { readonly [Basis in NonNullable<CoverageSetting['basis']>]: string } = {
  declared: 'declared',
  book: 'the price book tells it',
  calls: 'own calls show it',
  records: 'records that tell',
  totals: 'the totals show it',
  word: 'the usual sense of the word',
  assumed: 'assumed',
};

const STATUS = 'status_';

/** Name of a point, as a reader asks for it. */
export function pointWords({ name }: Pick<CoverageSetting, 'name'>): string {
  if (name.startsWith(STATUS)) return `The status ${JSON.stringify(name.slice(STATUS.length))}`;
  return POINTS[name]?.point ?? name;
}

/** `NAME` of `--assume-reading`; null where no other reading is one of ours. */
export function flagOf({ name }: Pick<CoverageSetting, 'name'>): string | null {
  return name.startsWith(STATUS) ? `status.${name.slice(STATUS.length)}` : (POINTS[name]?.flag ?? null);
}

/** How the point is read, or that this cannot be told. */
export function readingWords({ name, value, also }: CoverageSetting): string {
  const words = name.startsWith(STATUS)
    ? [
        value
          .split(' or ')
          .map((role) => ROLES[role] ?? role)
          .join(' or '),
      ]
    : [value, ...also].map((each) => VALUES[name]?.[each] ?? each);
  return words.length === 1 ? words.join() : `cannot be told: ${words.join(' or ')}`;
}

export function basisWords({ basis }: CoverageSetting): string {
  return basis === null ? '' : BASES[basis];
}

/** What another reading would move; empty where it was not computed. */
export function changeWords({ changes }: CoverageSetting): string {
  if (changes === null) return '';
  return /[1-9]/.test(changes) ? usd(changes) : 'nothing';
}
