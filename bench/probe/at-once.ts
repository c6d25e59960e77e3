/** `node at-once.ts <base> <key> <by> <calls at once> <rounds>`: streams that start together, by the client of the daemon or a bare socket. */
import { PaidClient } from '../../src/client/paid/paid-client.ts';
import { type BareCall, bareCall } from './bare-call.ts';
import { MODEL, PROMPT, TOKENS } from './watched-calls.ts';

const [, , base = '', key = '', by = 'client', atOnce = '10', rounds = '20'] = process.argv;
const client = new PaidClient({
  bases: { root: base, v1: `${base}/v1`, api: `${base}/api` },
  runId: 'bench-probe',
  instance: 'at-once',
  key: () => key,
  userAgent: 'weighbridge-bench',
});
const timeouts = { connect_ms: 10_000, headers_ms: 0, first_token_ms: 0, idle_ms: 0, total_ms: 60_000 };
const calls: BareCall[] = [];

async function call(n: number): Promise<BareCall> {
  if (by === 'bare') return bareCall(base, key);
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
  return { request_id: row.request_id, ttft_ms: since_sent.first_content };
}

for (let round = 0; round < Number(rounds); round += 1)
  calls.push(
    ...(await Promise.all(
      Array.from({ length: Number(atOnce) }, (_, n) => call(round * Number(atOnce) + n)),
    )),
  );
process.send?.({ calls, timers_late_ms: [] });
process.on('disconnect', () => process.exit(0));
