/// <reference types="k6" />
/// <reference path="./load.d.ts" />
/** k6 as anyone would use it: k6/http, which reads a streamed body whole. */
import exec from 'k6/execution';
import http from 'k6/http';

const load: PeerLoadText = JSON.parse(__ENV['BENCH_LOAD'] ?? '{}');

export const options = {
  scenarios: {
    bench: {
      executor: 'constant-arrival-rate',
      rate: load.per_s,
      timeUnit: '1s',
      duration: `${load.seconds}s`,
      preAllocatedVUs: load.per_s * 5,
      gracefulStop: '60s',
    },
  },
  summaryTrendStats: ['p(50)', 'p(99)'],
};

const headers = { 'content-type': 'application/json', authorization: `Bearer ${load.key}` };

export default function iteration(): void {
  const body = {
    model: load.model,
    messages: [{ role: 'user', content: `weigh load ${exec.scenario.iterationInTest} `.repeat(12) }],
    max_tokens: load.max_tokens,
    stream: true,
  };
  http.post(`${load.root}/v1/chat/completions`, JSON.stringify(body), { headers });
}

export function handleSummary(data: { metrics: unknown }): Record<string, string> {
  return { [load.summary]: JSON.stringify(data.metrics) };
}
