import type { Finding } from '../../contracts/finding.ts';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import type { CacheOwed } from '../cache/cache-owed.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { ComparedTotals } from '../records/totals-disagreements.ts';
import { askJudges, type Judge } from './judge.ts';
import { judgeBooks, judgeHistory } from './judge-books.ts';
import { judgeCache } from './judge-cache.ts';
import { judgeAccount, judgeCurrency, judgeFilter, judgeStates, judgeWindow } from './judge-currency.ts';
import { judgePaging } from './judge-paging.ts';
import { judgePriceChange } from './judge-price-change.ts';
import { judgeTotals } from './judge-totals.ts';
import type { Judgement } from './judgement.ts';
import { judgePosting } from './posting-lag.ts';

/** What a judge of the whole bill may look at. */
export interface JudgedBill {
  readonly context: JudgeContext;
  readonly reads: readonly ReadLine[];
  readonly matches: readonly CallMatch[];
  readonly judgements: readonly Judgement[];
  /** Records less those of other calls. */
  readonly ours: readonly ServedRecord[];
  readonly totals: { readonly judged: ComparedTotals; readonly before: ComparedTotals | null };
  readonly isOurs: (record: ServedRecord) => boolean;
  /** Null where no call tells how its prompt began. */
  readonly cache: CacheOwed | null;
}

const BILL_JUDGES: readonly Judge<JudgedBill>[] = [
  {
    name: 'books',
    question: 'Can the price books be read, and do they hold together?',
    classes: ['price_book_unreadable', 'price_book_incoherent'],
    warrants: ['document'],
    judge: ({ context, ours }) => judgeBooks(context, ours),
  },
  {
    name: 'price change',
    question: 'Did prices change while the book kept its version?',
    classes: ['price_book_incoherent'],
    warrants: ['document'],
    judge: ({ context, judgements }) => judgePriceChange(context, judgements),
  },
  {
    name: 'states',
    question: 'Is each state of a record one that the interface or the records explain?',
    classes: ['unknown_status'],
    warrants: ['document'],
    judge: ({ ours }) => judgeStates(ours),
  },
  {
    name: 'totals',
    question: 'Do the totals equal the records, and their own parts?',
    classes: [
      'unknown_records',
      'totals_disagree_records',
      'by_model_or_daily_partition',
      'day_boundary_shift',
      'currency_or_unit_error',
    ],
    warrants: ['document', 'sentence'],
    judge: ({ context, totals }) => judgeTotals(context, totals),
  },
  {
    name: 'paging',
    question: 'Do pages give each record once?',
    classes: ['page_gap_or_overlap'],
    warrants: ['sentence'],
    judge: ({ context }) => judgePaging(context.sweep),
  },
  {
    name: 'filter',
    question: 'Does a filtered read give only what was asked?',
    classes: ['filter_mismatch'],
    warrants: ['sentence'],
    judge: ({ context }) => judgeFilter(context.sweep),
  },
  {
    name: 'window',
    question: 'Does a window hold its first second and not its last?',
    classes: ['window_semantics'],
    warrants: ['sentence'],
    judge: ({ context }) => judgeWindow(context.sweep),
  },
  {
    name: 'currency',
    question: 'Are all amounts in USD?',
    classes: ['currency_or_unit_error'],
    warrants: ['sentence'],
    judge: ({ context }) => judgeCurrency(context.sweep),
  },
  {
    name: 'account',
    question: 'Do the counters of the account only grow, and in step?',
    classes: ['account_counter_drift'],
    warrants: ['document'],
    judge: ({ context, reads }) =>
      judgeAccount(
        reads,
        context.sweep.records.some((record) => mayLowerUse(record)),
      ),
  },
  {
    name: 'posting',
    question: 'Did each record appear in time?',
    classes: ['late_posting'],
    warrants: ['sentence', 'declaration', 'habit'],
    judge: ({ context, reads, matches }) => judgePosting(context, reads, matches),
  },
  {
    name: 'cache',
    question: 'Did the cache hits come that were promised?',
    classes: ['cache_read_at_full_price'],
    warrants: ['declaration'],
    judge: ({ context, cache }) => judgeCache(context, cache),
  },
  {
    name: 'history',
    question: 'Did a final record change, or go?',
    classes: ['state_regression'],
    warrants: ['document'],
    judge: ({ context, judgements, isOurs }) =>
      judgeHistory(context, isOurs, new Set(judgements.flatMap(({ regressed }) => regressed ?? []))),
  },
];

/** True where something is given back: a counter may count reserves, or charges before credits (interface §2). */
function mayLowerUse({ role, amount, reserved, refunded }: ServedRecord): boolean {
  const taken = amount.exact ?? 0n;
  const isReleased = (reserved.exact ?? 0n) > taken;
  return role === 'refunded' || taken < 0n || (refunded.exact ?? 0n) > 0n || isReleased;
}

/** Asks every question about the bill as a whole. */
export function judgeBill(bill: JudgedBill): readonly Finding[] {
  return askJudges(BILL_JUDGES, bill);
}
