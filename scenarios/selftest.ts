/** Runs inside k6 without a target: do the shared modules work there, and does the extension export its API? */
import { check } from 'k6';
import exec from 'k6/execution';
import * as weighbridge from 'k6/x/weighbridge';
import { parseAmount } from '../src/core/amount.ts';
import { planCall } from '../src/core/call-plan.ts';
import { MARKER_PATTERN, markerOf } from '../src/core/marker.ts';
import type { ScenarioPlan } from '../src/core/plan.ts';
import { seededRandom } from '../src/core/seeded-random.ts';
import { identify } from './lib/identity.ts';

export const options = { vus: 1, iterations: 1 };

const TIMEOUTS = { connect_ms: 1, headers_ms: 1, first_token_ms: 1, idle_ms: 1, total_ms: 1, task_ms: 1 };

const SCENARIO: ScenarioPlan = {
  name: 'chat',
  kind: 'chat',
  model: 'm/1:a',
  arrival: { stages: [{ duration_ms: 1000, from_millirate: 1000, to_millirate: 1000 }], max_calls: null },
  max_in_flight: 1,
  text: { stream_share: 0.5, prompt_bytes: 200, max_tokens: 16 },
  image: null,
  video: null,
};

const CHECKS = {
  'the version is a version': () => /^\d+\.\d+\.\d+/.test(weighbridge.version()),
  'the clock is monotonic': () => {
    const before = weighbridge.now();
    return weighbridge.now() >= before;
  },
  'a Client has its four methods': () => {
    const client = new weighbridge.Client({ root: 'http://127.0.0.1:9', timeouts: TIMEOUTS });
    return [client.stream, client.call, client.poll, client.download].every((m) => typeof m === 'function');
  },
  'a Client refuses a malformed root': () =>
    throws(() => new weighbridge.Client({ root: 'nowhere', timeouts: TIMEOUTS })),
  'a Client refuses a timeout of 0': () =>
    throws(
      () => new weighbridge.Client({ root: 'http://127.0.0.1:9', timeouts: { ...TIMEOUTS, idle_ms: 0 } }),
    ),
  'no credential is in reach of a script': () =>
    __ENV['WEIGHBRIDGE_API_KEY'] === undefined && __ENV['WEIGHBRIDGE_ACCESS_TOKEN'] === undefined,
  // The expected values are those of Node: a plan must mean the same calls in both.
  'markers are the same as in Node': () => markerOf('n1', 'i0/chat/0/1') === 'wb9c9c26043a7c7136',
  'random numbers are the same as in Node': () => seededRandom('selftest', 7).next() === 0.1633459667915279,
  'amounts are exact': () => parseAmount('0.000000000001') === 1n && parseAmount('12.34') === 12340000000000n,
  'a planned call repeats': () => {
    const [once, again, next] = [3, 3, 4].map((n) => JSON.stringify(planCall(7, SCENARIO, n)));
    return once === again && once !== next;
  },
  'a prompt has its size, marker included': () => {
    const identity = { nonce: 'n1', instance: 'i0', scenario: 'chat', n: 3 };
    const { prompt, prompt_bytes } = identify(identity, 1, planCall(7, SCENARIO, 3).prompt);
    return prompt_bytes === 200 && MARKER_PATTERN.test(prompt);
  },
};

export default async function selftest(): Promise<void> {
  let passed = true;
  for (const [name, holds] of Object.entries(CHECKS)) {
    passed = check(null, { [name]: holds }) && passed;
    console.log(`${holds() ? 'ok' : 'FAILED'}: ${name}`);
  }
  passed = (await misuseRejects()) && passed;
  if (!passed) exec.test.fail('the self-test failed');
}

/** A call without an id is misuse, which rejects; nothing is sent. */
async function misuseRejects(): Promise<boolean> {
  const client = new weighbridge.Client({ root: 'http://127.0.0.1:9', timeouts: TIMEOUTS });
  try {
    await client.call({ call_id: '', logical_id: '', kind: 'read', path: '/v1/models', auth: 'none' });
    console.log('FAILED: a call without an id rejects');
    return false;
  } catch {
    console.log('ok: a call without an id rejects');
    return true;
  }
}

function throws(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}
