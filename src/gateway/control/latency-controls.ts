import type { FastifyInstance } from 'fastify';
import { readLatency } from '../latency/read-latency.ts';
import type { Gateway } from '../parts/gateway.ts';

/** How fast the gateway is, and how far behind that it was itself. */
export function latencyControls(app: FastifyInstance, { latency, lateness }: Gateway): void {
  app.put('/latency', async ({ body }) => {
    latency.use(readLatency({ text: String(body ?? ''), file: 'latency' }));
    return latency.model;
  });

  app.get('/lateness', async () => lateness.report());
}
