/**
 * The gateway's books alone: `node --expose-gc bench/gateway/books.ts [records]` prints what a charge costs, how much
 * memory the records take, and how long reads of them take beside reads of a thousandth as many.
 */
import { AccountRegistry } from '../../src/gateway/account/account-registry.ts';
import { ChargeLedger } from '../../src/gateway/charging/charge-ledger.ts';
import { RecordStore } from '../../src/gateway/charging/record-store.ts';
import { readPageQuery } from '../../src/gateway/formats/usage-query.ts';
import { CATALOGUE } from '../../src/gateway/models/catalogue.ts';
import { usagePage } from '../../src/gateway/usage/usage-page.ts';
import { usageTotals } from '../../src/gateway/usage/usage-routes.ts';

const RECORDS = Number(process.argv[2] ?? 1_000_000);
const END = 1_800_000_000;
const WINDOW_S = 30 * 86_400;
const USD = 10n ** 12n;

interface Books {
  readonly store: RecordStore;
  readonly key: string;
  readonly request: string;
  readonly us_per_charge: number;
}

/** A month of one key, all models in turn. */
function fill(records: number): Books {
  const store = new RecordStore();
  const ledger = new ChargeLedger(store, { pricebook_id: 'pb_20261120_1', pricing_version: 'f'.repeat(64) });
  const registry = new AccountRegistry();
  const { account } = registry.addAccount({ balance: 1_000_000n * USD });
  const { key } = registry.addKey({ account });
  let request = '';
  const from = process.cpuUsage();
  for (let number = 0; number < records; number += 1) {
    request = `20261121004834${String(number).padStart(6, '0')}${(number * 7919).toString(36).padStart(8, 'x')}`;
    const charge = ledger.reserve({
      requestId: request,
      createdAt: END - WINDOW_S + Math.floor((number / records) * WINDOW_S),
      key,
      model: CATALOGUE[number % CATALOGUE.length]?.id ?? '',
      reserve: 2_457_600_000n,
    });
    ledger.settle(charge, {
      amount: 1_230_000n + BigInt(number),
      usage: { input: 14 + (number % 900), output: 120, cacheRead: 0, cacheWrite: 0 },
      result: 'completed',
      estimated: false,
    });
  }
  // Of this process alone, whatever runs beside it; the collector's threads count.
  const { user, system } = process.cpuUsage(from);
  const us_per_charge = (user + system) / records;
  return { store, key: key.fingerprint, request, us_per_charge };
}

/** Median ms of 51 reads. */
function median(read: () => unknown): number {
  const times = Array.from({ length: 51 }, () => {
    const from = performance.now();
    read();
    return performance.now() - from;
  }).sort((left, right) => left - right);
  return times[25] ?? 0;
}

function reads({ store, key, request }: Books): Record<string, number> {
  const page = (query: Record<string, string>) => usagePage(store, key, readPageQuery(query), END);
  const middle = page({ limit: '200', end_time: String(END - WINDOW_S / 2) });
  const totals = (start: number, end: number) =>
    usageTotals(store, key, { start, end, model: null, requestId: null });
  return {
    'first page of 200': median(() => page({ limit: '200' })),
    'page of 200 from the middle': median(() =>
      page({ limit: '200', end_time: String(END - WINDOW_S / 2), before: middle.next_cursor }),
    ),
    'page of one model': median(() => page({ limit: '200', model: CATALOGUE[3]?.id ?? '' })),
    'records of one request': median(() => page({ request_id: request })),
    'totals of 30 days': median(() => totals(END - WINDOW_S, END)),
    'totals of an odd window': median(() => totals(END - WINDOW_S + 12_345, END - 54_321)),
  };
}

function memory(): { rss: number; heap: number } {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss: rss / 1e6, heap: (heapUsed + external) / 1e6 };
}

fill(20_000);
const small = fill(Math.ceil(RECORDS / 1000));
const smallReads = reads(small);
const before = memory();
const large = fill(RECORDS);
const after = memory();
const largeReads = reads(large);
console.log(`${RECORDS} records: ${large.us_per_charge.toFixed(2)} us of CPU for reserve and settle`);
console.log(
  `process ${after.rss.toFixed(0)} MB, ${before.rss.toFixed(0)} MB before them; ` +
    `${(((after.heap - before.heap) * 1e6) / RECORDS).toFixed(0)} bytes live each`,
);
for (const [name, ms] of Object.entries(largeReads)) {
  console.log(
    `${name.padEnd(30)} ${ms.toFixed(3)} ms   (${(smallReads[name] ?? 0).toFixed(3)} ms on ${small.store.size})`,
  );
}
