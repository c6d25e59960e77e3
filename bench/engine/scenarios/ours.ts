/// <reference types="k6" />
/// <reference path="../../../xk6/index.d.ts" />
/// <reference path="./load.d.ts" />
/** The client of our extension and nothing around it: what a call costs before any planning in JavaScript. */
import exec from 'k6/execution';
import { Client } from 'k6/x/weighbridge';

const load: BenchLoad = JSON.parse(__ENV['BENCH_LOAD'] ?? '{}');

export const options = { scenarios: { bench: load.scenario }, batch: 10_000, batchPerHost: 10_000 };

const MS = 300_000;
const client = new Client({
  root: load.root,
  timeouts: {
    connect_ms: 30_000,
    headers_ms: 60_000,
    first_token_ms: 60_000,
    idle_ms: 60_000,
    total_ms: MS,
    task_ms: MS,
  },
});

const prompt = 'weigh this '.repeat(18);
const body = JSON.stringify({
  model: 'aspen-mini',
  messages: [{ role: 'user', content: prompt }],
  max_tokens: 50,
  stream: load.stream,
});
let made = 0;

function send(): Promise<unknown> {
  made += 1;
  const logical_id = `bench/${exec.vu.idInTest}.${made}`;
  const request = {
    call_id: `i0/${logical_id}/1`,
    logical_id,
    kind: 'chat',
    path: '/v1/chat/completions',
    model: 'aspen-mini',
    max_tokens: 50,
    prompt_bytes: prompt.length,
    body,
  } as const;
  return load.stream ? client.stream(request) : client.call(request);
}

async function worker(end: number): Promise<void> {
  for (let n = 0; n < load.each && Date.now() < end; n += 1) await send();
}

export default async function iteration(): Promise<void> {
  if (load.calls_per_vu === 1) {
    await send();
    return;
  }
  const end = load.lasting_s === null ? Number.POSITIVE_INFINITY : Date.now() + load.lasting_s * 1000;
  await Promise.all(Array.from({ length: load.calls_per_vu }, () => worker(end)));
}
