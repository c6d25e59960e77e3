/** Books `node records.ts <n>` usage records of one key, and tells how long a page takes on the way and what they weigh. */
import { AccountRegistry } from '../../src/gateway/account/account-registry.ts';
import { textCharge, textReserve } from '../../src/gateway/charging/charge-amount.ts';
import { ChargeLedger } from '../../src/gateway/charging/charge-ledger.ts';
import { RecordStore } from '../../src/gateway/charging/record-store.ts';
import { readPageQuery } from '../../src/gateway/formats/usage-query.ts';
import { requestIdSource } from '../../src/gateway/http/request-id.ts';
import { TEXT_MODELS } from '../../src/gateway/models/text-models.ts';
import { usagePage } from '../../src/gateway/usage/usage-page.ts';
import { OWN_WAYS } from '../../src/gateway/usage/usage-ways.ts';

const LIMIT = 50;
const PAGES = 200;
const SPAN_S = 20 * 86_400;
const START_S = 1_795_000_000;

const total = Number(process.argv[2] ?? '1000000');
const store = new RecordStore();
const ledger = new ChargeLedger(store, { pricebook_id: 'pb_bench', pricing_version: '1' });
const registry = new AccountRegistry();
const { account } = registry.addAccount({ balance: 10n ** 24n });
const { key } = registry.addKey({ account });
let now_s = START_S;
const nextRequestId = requestIdSource({ wallMs: () => now_s * 1000, monoMs: () => 0 }, 7n);
const pages: { of: number; page_us: number }[] = [];

process.send?.({ ready: {} });
for (let made = 1; made <= total; made += 1) {
  now_s = START_S + Math.floor((made * SPAN_S) / total);
  book(made);
  if (made === total / 1000 || made === total / 10 || made === total)
    pages.push({ of: made, page_us: pageTime() });
}
process.on('message', () => {
  process.send?.({ records: total, rss_mb: process.memoryUsage.rss() / 1e6, pages });
});
process.on('disconnect', () => process.exit(0));

function book(made: number): void {
  const model = TEXT_MODELS[made % TEXT_MODELS.length];
  if (model === undefined) throw new RangeError('there are no models');
  const usage = { input: 20 + (made % 900), output: 1 + (made % 300), cacheRead: 0, cacheWrite: 0 };
  const reserve = textReserve(model, usage.input, 400);
  const charge = ledger.reserve({
    requestId: nextRequestId(),
    createdAt: now_s,
    key,
    model: model.id,
    reserve,
  });
  ledger.settle(charge, { amount: textCharge(model, usage), usage, result: 'completed', estimated: false });
}

/** One of the pages that a client reads one after the other from the newest on, µs in the mean. */
function pageTime(): number {
  let before = '';
  const read = (): void => {
    const query = readPageQuery(
      before === '' ? { limit: String(LIMIT) } : { limit: String(LIMIT), before },
      OWN_WAYS.readings,
    );
    const page = usagePage(store, key.fingerprint, query, now_s + 1);
    if (page.data.length !== LIMIT) throw new Error(`expected ${LIMIT} records, found ${page.data.length}`);
    before = page.has_more ? page.next_cursor : '';
  };
  for (let page = 0; page < PAGES; page += 1) read();
  before = '';
  const start = performance.now();
  for (let page = 0; page < PAGES; page += 1) read();
  return ((performance.now() - start) * 1000) / PAGES;
}
