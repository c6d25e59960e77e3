/// <reference types="k6" />
/// <reference path="./load.d.ts" />
/** k6 as anyone would use it: k6/http, which reads a streamed body whole. */
import http from 'k6/http';

const load: BenchLoad = JSON.parse(__ENV['BENCH_LOAD'] ?? '{}');

export const options = {
  scenarios: { bench: load.scenario },
  summaryTrendStats: ['p(50)', 'p(99)'],
};

const body = JSON.stringify({
  model: 'aspen-mini',
  messages: [{ role: 'user', content: 'weigh this '.repeat(18) }],
  max_tokens: 50,
  stream: load.stream,
});
const params = { headers: { 'content-type': 'application/json' } };

export default function iteration(): void {
  http.post(`${load.root}/v1/chat/completions`, body, params);
}

export function handleSummary(data: { metrics: unknown }): Record<string, string> {
  return load.summary === undefined ? {} : { [load.summary]: JSON.stringify(data.metrics) };
}
