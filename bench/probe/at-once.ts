/** `node at-once.ts <base> <key> <calls at once> <rounds>`: streams that start together, by the client of the daemon. */
import { PaidClient } from '../../src/client/paid/paid-client.ts';
import { MODEL, PROMPT, TOKENS } from './watched-calls.ts';

const [, , base = '', key = '', atOnce = '10', rounds = '20'] = process.argv;
const client = new PaidClient({
  bases: { root: base, v1: `${base}/v1`, api: `${base}/api` },
  runId: 'bench-probe',
  instance: 'at-once',
  key: () => key,
  userAgent: 'weighbridge-bench',
});
const timeouts = { connect_ms: 10_000, headers_ms: 0, first_token_ms: 0, idle_ms: 0, total_ms: 60_000 };
const calls: { readonly request_id: string; readonly ttft_ms: number }[] = [];

async function call(n: number): Promise<void> {
  const { row, since_sent } = await client.text(
    {
      kind: 'chat',
      name: { scenario: 'at-once', n, turn: null },
      model: MODEL,
      prompt: PROMPT,
      stream: true,
      max_tokens: TOKENS,
      auth: 'bearer',
      worst_case_usd: '1',
      timeouts,
    },
    new AbortController().signal,
  );
  if (row.request_id === null || since_sent.first_content === null)
    throw new Error(`call ${n}: ${row.outcome} ${row.error_message}`);
  calls.push({ request_id: row.request_id, ttft_ms: since_sent.first_content });
}

for (let round = 0; round < Number(rounds); round += 1)
  await Promise.all(Array.from({ length: Number(atOnce) }, (_, n) => call(round * Number(atOnce) + n)));
process.send?.({ calls, timers_late_ms: [] });
process.on('disconnect', () => process.exit(0));
