import type { LinkWay } from '../contracts/chain-result.ts';
import type { Purchase } from './purchase.ts';
import type { Sale } from './sale.ts';

/** Sales and purchases that belong together, each by time. One side may be empty. */
export interface Link {
  readonly sales: readonly Sale[];
  readonly purchases: readonly Purchase[];
  /** Null where one side is empty. */
  readonly by: LinkWay | null;
}
