/** Runs inside k6 without a target: do the shared modules work there, and does the extension export its API? */
import { check } from 'k6';
import exec from 'k6/execution';
import * as weighbridge from 'k6/x/weighbridge';
import type { ScenarioPlan } from '../src/contracts/plan.ts';
import { parseAmount } from '../src/core/amount.ts';
import { callIdOf, logicalIdOf } from '../src/core/call-id.ts';
import { markerOf } from '../src/core/marker.ts';
import { seededRandom } from '../src/core/seeded-random.ts';
import { markedPrompt, planCall } from '../src/workload/call-plan.ts';
import { openPlan } from './lib/plan.ts';

export const options = { vus: 1, iterations: 1 };

const TIMEOUTS = { connect_ms: 1, headers_ms: 1, first_token_ms: 1, idle_ms: 1, total_ms: 1, task_ms: 1 };

/** Optional: what a plan's calls are is compared where there is one. */
const plan = __ENV['WEIGHBRIDGE_PLAN'] === undefined ? null : openPlan();

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
  'this k6 knows our executor': () => weighbridge.hasArrivals(),
  'no start is made outside a scenario of the plan': () =>
    throws(() => weighbridge.makeStart(false)) || !weighbridge.makeStart(false),
  'without a plan a script decides': () => plan !== null || weighbridge.needsScript,
  'bytes are those of UTF-8': () => weighbridge.byteLength('aö€🙂') === 10,
  'planned calls are those of TypeScript': () =>
    plan === null
      ? throws(() => weighbridge.plannedCall('chat', 0))
      : plan.workload.scenarios.every((scenario) => SOME.every((n) => isAsSpecified(scenario, n))),
};

export default async function selftest(): Promise<void> {
  let passed = true;
  for (const [name, holds] of Object.entries(CHECKS)) {
    const held = holds();
    passed = check(held, { [name]: (ok) => ok }) && passed;
    console.log(`${held ? 'ok' : 'FAILED'}: ${name}`);
  }
  passed = (await misuseRejects()) && passed;
  if (!passed) exec.test.fail('the self-test failed');
}

/** A call without an id is misuse, which rejects; nothing is sent. */
async function misuseRejects(): Promise<boolean> {
  const client = new weighbridge.Client({ root: 'http://127.0.0.1:9', timeouts: TIMEOUTS });
  try {
    await client.call({ kind: 'read', path: '/v1/models', auth: 'none' });
    console.log('FAILED: a call without an id rejects');
    return false;
  } catch {
    console.log('ok: a call without an id rejects');
    return true;
  }
}

const SOME = [0, 1, 2, 3, 4, 5, 99, 100, 12_345];

/** All turns of call n, as Go plans them and as planCall does. */
function isAsSpecified(scenario: ScenarioPlan, n: number): boolean {
  if (plan === null) return false;
  const { turns } = weighbridge.plannedCall(scenario.name, n);
  for (let turn = 1; turn <= turns; turn += 1) {
    const call = planCall(plan.workload.seed, scenario, n, { turn });
    const name = { scenario: scenario.name, n, turn: call.turn };
    const call_id = callIdOf(__ENV['WEIGHBRIDGE_INSTANCE'] ?? 'i0', name, 1);
    const marker = markerOf(plan.nonce, call_id);
    const prompt = markedPrompt(call, marker);
    const { lead: _, rest: __, image, ...shape } = call;
    const specified = {
      ...shape,
      ...{
        scenario: scenario.name,
        n,
        call_id,
        logical_id: logicalIdOf(name),
        marker,
        prompt,
        prompt_bytes: prompt.length,
      },
      image:
        image === null
          ? null
          : { size: image.size, quality: image.quality, response_format: image.response_format },
    };
    if (sorted(weighbridge.plannedCall(scenario.name, n, turn)) !== sorted(specified)) return false;
  }
  return true;
}

function sorted(value: object): string {
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function throws(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}
