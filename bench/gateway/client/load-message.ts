import * as z from 'zod';

const target = z.object({ port: z.int(), api_key: z.string() });
const bodies = z.array(z.string()).min(1).readonly();

/** What the load process is asked for. */
export const loadMessage = z.discriminatedUnion('load', [
  z.object({ load: z.literal('json'), target, bodies, sockets: z.int(), ms: z.number() }),
  z.object({
    load: z.literal('streams'),
    target,
    bodies,
    count: z.int(),
    over_ms: z.number(),
    for_ms: z.number().nullable(),
  }),
]);
export type LoadMessage = z.infer<typeof loadMessage>;
