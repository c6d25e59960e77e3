import type { FastifyInstance } from 'fastify';
import { readFaultPlan } from '../faults/read-fault-plan.ts';
import type { Gateway } from '../parts/gateway.ts';

/** The fault plan: read, and replaced while the gateway serves. */
export function faultControls(app: FastifyInstance, { faults }: Gateway): void {
  app.get('/faults', async () => ({ faults: faults.plan.faults }));

  app.put('/faults', async ({ body }) => {
    const plan = readFaultPlan({ text: String(body ?? ''), file: 'faults' });
    faults.use(plan);
    return { faults: plan.faults.length };
  });
}
