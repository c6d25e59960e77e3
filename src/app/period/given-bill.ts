import { BILL_MAPPINGS } from '../../bill/read/bill-mapping.ts';
import { billZone } from '../../bill/weigh/bill-zone.ts';
import { parseDuration } from '../../config/duration.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { notedReads } from '../evidence/noted-reads.ts';
import { readBillFiles } from '../folder/bill-document.ts';
import { keepBill } from '../folder/bill-files.ts';
import type { ReconcileFlags } from './reconcile-flags.ts';

/** Longer than any provider of sums takes by its own words; a batch may. */
const DEFAULT_LATE_S = 6 * 3_600;

/**
 * Checks the bill that the flags name, and keeps it in the folder. Where no usage records were read, it is held against
 * what the calls should cost. Throws as `readBillFiles`, and `bill_late_invalid` (exit 2).
 */
export function keepGivenBill(runDir: string, flags: ReconcileFlags): void {
  const { bill: files, billMapping: mapping = null, billZone: zone = null } = flags;
  if (files === undefined) return;
  if (mapping !== null) BILL_MAPPINGS.read(mapping);
  if (zone !== null) billZone(zone);
  readBillFiles(files, mapping);
  const whole = flags.billWhole === true;
  const calls_only = notedReads(runDir).every(({ read }) => read !== 'records');
  keepBill(runDir, { files, mapping, zone, most_late_s: mostLate(flags), whole, calls_only });
}

function mostLate({ billLate }: ReconcileFlags): number {
  if (billLate === undefined) return DEFAULT_LATE_S;
  const ms = parseDuration(billLate);
  if (ms !== null) return Math.ceil(ms / 1000);
  throw new WeighbridgeError({
    code: 'bill_late_invalid',
    message: `--bill-late must be a duration such as 15m or 6h, but it is ${JSON.stringify(billLate)}.`,
    hint: 'Give the longest time until a charge appears on the bill, or leave the flag out for 6 hours.',
  });
}
