import type { UpstreamFlags } from '../evidence/keep-upstream.ts';
import { isAddress } from '../target/flag-address.ts';

/** What `reconcile` was asked for, as its flags say it. */
export interface ReconcileFlags extends UpstreamFlags {
  readonly run?: string;
  readonly due?: boolean;
  readonly ledger?: string[];
  readonly ledgerFormat?: string;
  readonly columns?: string;
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
  readonly target?: string;
  readonly keyFile?: string[];
  readonly records?: string[];
  readonly recordsMapping?: string;
  readonly preview?: boolean;
  readonly by?: string;
  readonly keepRaw?: boolean;
  readonly pricebook?: string;
  readonly statement?: string;
  readonly bill?: string[];
  readonly billMapping?: string;
  readonly billZone?: string;
  readonly billLate?: string;
  readonly billWhole?: boolean;
  readonly assumeReading?: readonly string[];
  readonly gate?: string;
  readonly minChecked?: string;
  readonly memory?: string;
  readonly config?: string;
  readonly out: string;
  readonly state: string;
}

/**
 * Where a period ends at the latest, Unix seconds: what has not happened yet has no records. Files hold what they hold,
 * whenever they are judged, so that the same files of the same period are the same bill.
 */
export function latestSecond({ records }: Pick<ReconcileFlags, 'records'>): number {
  const fromFiles = records?.some((each) => !isAddress(each)) === true;
  return fromFiles ? Number.POSITIVE_INFINITY : Math.floor(Date.now() / 1000);
}
