import { isAddress } from '../target/is-address.ts';
import type { ReconcileFlags } from './reconcile-flags.ts';

/**
 * Where a period ends at the latest, Unix seconds: what has not happened yet has no records. Files hold what they hold,
 * whenever they are judged, so that the same files of the same period are the same bill.
 */
export function latestSecond({ records }: Pick<ReconcileFlags, 'records'>): number {
  const fromFiles = records?.some((each) => !isAddress(each)) === true;
  return fromFiles ? Number.POSITIVE_INFINITY : Math.floor(Date.now() / 1000);
}
