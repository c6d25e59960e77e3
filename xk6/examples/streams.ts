/** Starts five streams a second: ends with 99 where one of twenty waits longer than 2 s for its first token. */
import { chat } from 'k6/x/weighbridge';

const server = { url: __ENV['URL'] ?? 'http://127.0.0.1:8000/v1', model: __ENV['MODEL'] ?? 'm' };

export const options = {
  scenarios: {
    streams: {
      executor: 'constant-arrival-rate',
      rate: 5,
      timeUnit: '1s',
      duration: '30s',
      preAllocatedVUs: 50,
    },
  },
  thresholds: { weighbridge_ttft: ['p(95)<2000'], weighbridge_ok: ['rate>0.99'] },
};

export default function streams() {
  chat({ ...server, prompt: 'Write a paragraph on weighbridges.', maxTokens: 200, stream: true });
}
