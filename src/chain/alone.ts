import type { AloneReason } from '../contracts/chain-result.ts';
import type { Warrant } from '../contracts/warrant.ts';
import { isHabit } from '../reconcile/records/habit.ts';
import type { Link } from './link.ts';
import { isSum } from './link-by-sum.ts';
import type { SaleState } from './sale.ts';

/** What was bought and stands in no record: why, and by what somebody had to pay for it. */
export interface Alone {
  readonly link: Link;
  readonly why: AloneReason;
  /** Null where nothing tells that somebody had to. */
  readonly warrant: Warrant | null;
}

const WHOLE: Warrant = { kind: 'declaration', of: '--upstream-whole' };
const SEEN: Warrant = {
  kind: 'observation',
  of: 'the call succeeded for our client, and its records were read whole',
};

/** The mildest first: of several calls behind one purchase, any may be the one that it was bought for. */
const REASONS: readonly (readonly [Exclude<SaleState, 'recorded'>, AloneReason])[] = [
  ['pending', 'waiting'],
  ['waiting', 'waiting'],
  ['let_off', 'let_off'],
  ['not_read', 'not_read'],
  ['unrecorded', 'unbilled'],
];

/** No call and no record of these books is its own. */
const STRANGE = [null, 'strange'] as const;

/** States in which no record is there, as far as was read. */
const ABSENT: readonly (SaleState | null)[] = ['waiting', 'not_read', null];

/**
 * The purchases without a record of a sale. Those that no call or record explains may be sold to others, whose records
 * are not here: they are unbilled only where the file is declared to hold none, or where hardly any is.
 */
export function aloneOf(
  links: readonly Link[],
  { whole, isEdge }: { readonly whole: boolean; readonly isEdge: (link: Link) => boolean },
): readonly Alone[] {
  const bought = links.filter(({ purchases }) => purchases.length > 0);
  // Whether a sum stands alone hangs on its days and names: it shows no habit, and none accuses it.
  const calls = bought.filter((link) => !link.purchases.some(isSum));
  const strange = calls.filter((link) => link.sales.length === 0 && isPaid(link) && !isEdge(link));
  const count = { telling: calls.filter(isPaid).length, exceptions: strange.length };
  const usual: Warrant | null = isHabit(count)
    ? {
        kind: 'habit',
        of: `a purchase is sold: ${count.telling} tell, ${count.exceptions} are exceptions`,
      }
    : null;
  return bought
    .filter(({ sales }) => !sales.some(({ state }) => state === 'recorded'))
    .map((link) => {
      const [purchase] = link.purchases;
      if (purchase !== undefined && isSum(purchase) && purchase.model === '')
        return { link, why: 'no_call', warrant: null };
      if (isEdge(link)) return { link, why: 'edge', warrant: null };
      return reasoned(link, whole, usual);
    });
}

function reasoned(link: Link, whole: boolean, usual: Warrant | null): Alone {
  const [state, why] = REASONS.find(([each]) => link.sales.some((sale) => sale.state === each)) ?? STRANGE;
  if (!isPaid(link)) return { link, why: state === 'unrecorded' ? 'let_off' : why, warrant: null };
  const warrant =
    (state === 'unrecorded' ? SEEN : null) ??
    (whole && ABSENT.includes(state) ? WHOLE : null) ??
    (state === null ? usual : null);
  return { link, why: warrant === null ? why : 'unbilled', warrant };
}

/** A provider lists what it did not charge, too. */
function isPaid({ purchases }: Link): boolean {
  return purchases.reduce((sum, { cost }) => sum + (cost ?? 0n), 0n) > 0n;
}
