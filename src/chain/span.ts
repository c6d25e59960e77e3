import type { Link } from './link.ts';
import type { Sale } from './sale.ts';

/** Milliseconds since the epoch, the end not inside. */
export interface Span {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Clocks of two machines may be so far apart. */
export const CLOCKS_MS = 120_000;

/** A gateway may date a record by its settlement: so close to the end of a period its sale may stand in the next. */
const EDGE_MS = 3_600_000;

/** In which time of the books a purchase alone lies. */
export type Where = 'inside' | 'edge' | 'outside';

/** Where a purchase lies that no sale explains: by the audited period, or else by the first and the last of all sales. */
export function whereOf(sales: readonly Sale[], period: Span | null): (link: Link) => Where {
  const { from_ms, to_ms } = period ?? spanOf(sales);
  const [beyond, edge] = period === null ? [CLOCKS_MS, 0] : [0, EDGE_MS];
  return ({ sales: own, purchases: [purchase] }) => {
    const at = purchase?.at_ms ?? null;
    if (own.length > 0 || at === null) return 'inside';
    const until = purchase?.until_ms ?? null;
    if (until !== null && until > from_ms && at < to_ms)
      return period !== null && (at < from_ms || until > to_ms) ? 'edge' : 'inside';
    if (at < from_ms - beyond || at >= to_ms + beyond) return 'outside';
    return period !== null && (at < from_ms + edge || at >= to_ms - edge) ? 'edge' : 'inside';
  };
}

function spanOf(sales: readonly Sale[]): Span {
  let from_ms = Number.POSITIVE_INFINITY;
  let to_ms = Number.NEGATIVE_INFINITY;
  for (const sale of sales) {
    if (sale.from_ms !== null) from_ms = Math.min(from_ms, sale.from_ms);
    if (sale.to_ms !== null) to_ms = Math.max(to_ms, sale.to_ms);
  }
  return { from_ms, to_ms };
}
