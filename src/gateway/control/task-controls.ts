import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Gateway } from '../parts/gateway.ts';
import { controlBody } from './control-body.ts';
import { notThere } from './control-error.ts';

const taskFailure = z.strictObject({
  code: z.string().min(1).default('task_failed'),
  message: z.string().min(1).default('The task has failed'),
});

export function taskControls(app: FastifyInstance, { imageJobs, videoTasks }: Gateway): void {
  app.post<{ Params: { id: string } }>('/tasks/:id/fail', async ({ params, body }) => {
    const error = controlBody(taskFailure, body);
    if (!imageJobs.fail(params.id, error) && !videoTasks.fail(params.id, error))
      throw notThere(`no running task ${params.id}`);
    return { ok: true };
  });
}
