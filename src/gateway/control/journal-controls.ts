import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Gateway } from '../parts/gateway.ts';
import { controlBody, controlQuery } from './control-body.ts';

const since = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a number of lines' })
    .transform(Number)
    .default(0),
});

const reset = z.strictObject({
  /** Lines in memory; the file keeps its own. */
  journal: z.boolean().default(true),
  /** Ordinals by which faults are chosen; the plan stays. */
  fault_counts: z.boolean().default(true),
  /** Prompts that count as read from the cache. */
  prompt_cache: z.boolean().default(true),
  /** What `GET /lateness` has counted. */
  lateness: z.boolean().default(true),
  /** Tasks that run: they fail, which gives back what they held. */
  tasks: z.boolean().default(false),
});

const TASK_RESET = { code: 'task_failed', message: 'The task was ended by a reset' };

/** What a test looks at, and how it starts the next case from a known place. */
export function journalControls(app: FastifyInstance, gateway: Gateway): void {
  const { journal, faults, promptCache, lateness, imageJobs, videoTasks, lateSettlements } = gateway;

  app.get('/journal', async ({ query }) => journal.since(controlQuery(since, query).after));

  app.post('/reset', async ({ body }) => {
    const wanted = controlBody(reset, body);
    const tasks = wanted.tasks ? imageJobs.failAll(TASK_RESET) + videoTasks.failAll(TASK_RESET) : 0;
    // Their lines would stand in the journal of the next case.
    if (wanted.journal) lateSettlements.settleAll();
    if (wanted.fault_counts) faults.use(faults.plan);
    if (wanted.prompt_cache) promptCache.clear();
    if (wanted.lateness) lateness.reset();
    return { journal: wanted.journal ? journal.forget() : 0, tasks };
  });
}
