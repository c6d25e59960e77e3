import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CALL_SCHEMA } from '../../src/contracts/schema-names.ts';

const told = z.object({ type: z.literal('call'), request_id: z.string(), first_token_ms: z.number() });
const row = z.object({
  schema: z.literal(CALL_SCHEMA),
  request_id: z.string(),
  wrote_ms: z.number(),
  ttft_ms: z.number(),
});

export interface MeasuredCall {
  readonly request_id: string;
  readonly ttft_ms: number;
}

/** What the gateway itself noted of its first tokens, ms after it had read the request, by the id of the call. */
export function journalledFirstTokens(path: string): ReadonlyMap<string, number> {
  return new Map(
    linesOf(path).flatMap((line) => {
      const call = told.safeParse(line);
      return call.success ? [[call.data.request_id, call.data.first_token_ms] as const] : [];
    }),
  );
}

/** What the daemon put into its TTFT histogram, ms after it had written the request: from the rows of its own ledger. */
export function daemonCalls(state: string): MeasuredCall[] {
  const calls: MeasuredCall[] = [];
  for (const entry of readdirSync(state, { recursive: true, encoding: 'utf8' })) {
    if (!/probe\/calls\/[^/]+\.ndjson$/.test(entry)) continue;
    for (const line of linesOf(join(state, entry))) {
      const call = row.safeParse(line);
      if (!call.success) continue;
      const { request_id, ttft_ms, wrote_ms } = call.data;
      calls.push({ request_id, ttft_ms: ttft_ms - wrote_ms });
    }
  }
  return calls;
}

/** How much longer each call took to its first token by the client's clock than by the journal's. Throws where one is not in it. */
export function errorsOf(
  calls: readonly MeasuredCall[],
  journalled: ReadonlyMap<string, number>,
): readonly number[] {
  return calls.map(({ request_id, ttft_ms }) => {
    const truth = journalled.get(request_id);
    if (truth === undefined) throw new Error(`the journal has no first token of call ${request_id}`);
    return ttft_ms - truth;
  });
}

function linesOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}
