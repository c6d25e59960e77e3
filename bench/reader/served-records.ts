/** Serves `node served-records.ts <n>` usage records of one key by the embedded gateway's own pages and totals. */
import { createServer } from 'node:http';
import { AccountRegistry } from '../../src/gateway/account/account-registry.ts';
import { textCharge, textReserve } from '../../src/gateway/charging/charge-amount.ts';
import { ChargeLedger } from '../../src/gateway/charging/charge-ledger.ts';
import { RecordStore } from '../../src/gateway/charging/record-store.ts';
import { readPageQuery, readUsageQuery } from '../../src/gateway/formats/usage-query.ts';
import { requestIdSource } from '../../src/gateway/http/request-id.ts';
import { TEXT_MODELS } from '../../src/gateway/models/text-models.ts';
import { usagePage } from '../../src/gateway/usage/usage-page.ts';
import { usageTotals } from '../../src/gateway/usage/usage-routes.ts';

const SPAN_S = 20 * 86_400;
const START_S = 1_795_000_000;

const total = Number(process.argv[2] ?? '100000');
const store = new RecordStore();
const ledger = new ChargeLedger(store, { pricebook_id: 'pb_bench', pricing_version: '1' });
const registry = new AccountRegistry();
const { account } = registry.addAccount({ balance: 10n ** 24n });
const { key } = registry.addKey({ account });
let now_s = START_S;
const nextRequestId = requestIdSource({ wallMs: () => now_s * 1000, monoMs: () => 0 }, 7n);
for (let made = 1; made <= total; made += 1) {
  now_s = START_S + Math.floor((made * SPAN_S) / total);
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
  ledger.settle(charge, {
    amount: textCharge(model, usage),
    usage,
    result: 'completed',
    estimated: false,
  });
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const query = Object.fromEntries(url.searchParams);
  let body: object;
  try {
    if (url.pathname === '/v1/usage')
      body = usageTotals(store, key.fingerprint, readUsageQuery(query, now_s + 1));
    else {
      const { window: _, ...page } = usagePage(store, key.fingerprint, readPageQuery(query), now_s + 1);
      body = page;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'refused';
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', code: '' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': nextRequestId() });
  response.end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  process.send?.({ port, window: { start: START_S, end: now_s + 1 } });
});
process.on('disconnect', () => process.exit(0));
