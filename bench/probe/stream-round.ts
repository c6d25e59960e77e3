import * as z from 'zod';
import { Child } from '../common/child.ts';
import { CLIENT_CORE } from '../common/pinning.ts';

const told = z.object({
  calls: z.array(z.object({ request_id: z.string(), ttft_ms: z.number() })),
  timers_late_ms: z.array(z.number()),
});

/** Streams that a process of its own makes, on the core of the daemon. */
export async function streamRound(
  file: 'bare-calls.ts' | 'at-once.ts',
  base_url: string,
  api_key: string,
  args: readonly (string | number)[],
): Promise<z.infer<typeof told>> {
  const { child, first } = await Child.start(new URL(file, import.meta.url), CLIENT_CORE, [
    base_url,
    api_key,
    ...args.map(String),
  ]);
  await child.stop();
  return told.parse(first);
}
