import { type BillReader, notOffered } from './bill-reader.ts';
import { interfaceReader } from './interface.ts';

const WHY = 'a plain server has no bill, and this target was named one (dialect plain)';

/** A server without a bill: nothing is asked for. */
export const plainReader: BillReader = {
  name: 'plain',
  paths: interfaceReader.paths,
  totals: 'sums',
  priceBook: async () => notOffered(WHY),
  usageTotals: async () => notOffered(WHY),
  usageRequests: async () => notOffered(WHY),
  account: async () => notOffered(WHY),
};
