import * as z from 'zod';
import type { LatenessReport } from '../../../src/gateway/latency/lateness-log.ts';

const question = z.object({ ask: z.enum(['lateness', 'reset']) });

interface Lateness {
  report(): LatenessReport | null;
  reset(): void;
}

/** Tells the parent process where this one serves, answers its questions and ends with it. */
export function serveParent(
  ready: { readonly base_url: string; readonly api_key: string },
  lateness: Lateness,
): void {
  process.on('message', (message) => {
    if (question.parse(message).ask === 'reset') lateness.reset();
    process.send?.({ lateness: lateness.report() });
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready });
}
