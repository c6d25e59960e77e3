import type { FastifyInstance } from 'fastify';
import { readPageQuery, readUsageQuery } from '../formats/usage-query.ts';
import type { Gateway } from '../parts/gateway.ts';
import { requestFaults } from '../requests/request-faults-of.ts';
import { requestKey } from '../requests/request-key.ts';
import { requireKey } from '../requests/require-key.ts';
import { unixSeconds } from '../time/clock.ts';
import { tellExactly } from './exact-window.ts';
import { usagePage } from './usage-page.ts';
import { usageTotals } from './usage-sums.ts';

export function usageRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { clock, records, readings, forms } = gateway;
  const onRequest = requireKey(gateway);
  /** The end of the current second, so that a default window holds what has just happened. */
  const now = (): number => unixSeconds(clock.wallMs()) + 1;

  app.get('/v1/usage', { onRequest }, async (request, reply) => {
    const selection = readUsageQuery(request.query, now());
    const ways = { readings, forms, faults: requestFaults(request) };
    tellExactly(reply, selection.window);
    return usageTotals(records, requestKey(request).fingerprint, selection, ways);
  });

  app.get('/v1/usage/requests', { onRequest }, async (request, reply) => {
    const query = readPageQuery(request.query, readings);
    const ways = { readings, forms, faults: requestFaults(request) };
    const { window, ...page } = usagePage(records, requestKey(request).fingerprint, query, now(), ways);
    tellExactly(reply, window);
    return page;
  });
}
