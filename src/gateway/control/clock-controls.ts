import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { SECONDS_PER_DAY } from '../../core/time.ts';
import type { Gateway } from '../parts/gateway.ts';
import { unixSeconds } from '../time/clock.ts';
import { controlBody } from './control-body.ts';

const MOST_DAYS = 3660;

const advance = z.strictObject({
  advance_s: z
    .int()
    .min(0)
    .max(MOST_DAYS * SECONDS_PER_DAY),
});

/** The wall clock, which only goes forward: links expire and records fall on later days; timers run on as they are. */
export function clockControls(app: FastifyInstance, { clock }: Gateway): void {
  app.post('/clock', async ({ body }) => {
    clock.advance(controlBody(advance, body).advance_s * 1000);
    return { now: unixSeconds(clock.wallMs()) };
  });
}
