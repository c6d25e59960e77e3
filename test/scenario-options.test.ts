import { describe, expect, it } from 'vitest';
import { executorOf, stockExecutorOf, stockNotes } from '../scenarios/lib/executor-of.ts';
import { httpOptionsOf } from '../scenarios/lib/http-options.ts';
import type { Arrival, HttpOptions } from '../src/contracts/plan.ts';
import {
  arrivalOf,
  PLAIN_HTTP,
  planOf,
  scenarioOf,
  stageOf,
  workloadOf,
} from '../src/workload/plan.test-support.ts';

const PLAN = planOf({ workload: workloadOf({ seed: 9, drain_ms: 5_000 }) });
const POOL = planOf({ workload: workloadOf({ calls_per_vu: 100 }) });
const TRACE = { file: 'trace.ndjson', sha256: 'x', calls: 5 };

function stock(arrival: Partial<Arrival>) {
  return stockExecutorOf(PLAN, scenarioOf({ arrival: arrivalOf(arrival), max_in_flight: 7 }));
}

describe('the options of our executor', () => {
  it('carry the whole arrival', () => {
    const arrival = arrivalOf({ process: 'gamma', burstiness: 0.25, max_calls: 4 });
    expect(executorOf(PLAN, scenarioOf({ arrival, max_in_flight: 7 }))).toEqual({
      executor: 'weighbridge-arrivals',
      exec: 'run',
      stages: arrival.stages,
      maxCalls: 4,
      maxInFlight: 7,
      process: 'gamma',
      burstiness: 0.25,
      seed: 9,
      concurrency: null,
      trace: false,
      callsPerVU: 1,
      gracefulStop: '5000ms',
    });
  });

  it('say that starts come from a trace, how wide a closed loop is, and take many calls into a virtual user', () => {
    expect(executorOf(PLAN, scenarioOf({ arrival: arrivalOf({ trace: TRACE }) })).trace).toBe(true);
    expect(executorOf(POOL, scenarioOf({ arrival: arrivalOf({ concurrency: 3 }) }))).toMatchObject({
      concurrency: 3,
      callsPerVU: 100,
      exec: 'pool',
    });
  });
});

describe("the options of k6's own executors", () => {
  const common = { exec: 'run', timeUnit: '1000s', preAllocatedVUs: 7, maxVUs: 7, gracefulStop: '5000ms' };

  it('hold a rate exactly', () => {
    expect(stock({ stages: [stageOf(10_000, 5), stageOf(20_000, 5)] })).toEqual({
      executor: 'constant-arrival-rate',
      rate: 5,
      duration: '30000ms',
      ...common,
    });
  });

  it('ramp, jump and pause', () => {
    const stages = [stageOf(10_000, 0, 4_000), stageOf(5_000, 1_000), stageOf(5_000, 1_000, 0)];
    expect(stock({ stages })).toEqual({
      executor: 'ramping-arrival-rate',
      startRate: 0,
      stages: [
        { duration: '10000ms', target: 4_000 },
        { duration: '0ms', target: 1_000 },
        { duration: '5000ms', target: 1_000 },
        { duration: '5000ms', target: 0 },
      ],
      ...common,
    });
  });

  it('keep a closed loop going, and to its most calls', () => {
    const loop = { stages: [stageOf(30_000, 0)], concurrency: 4 };
    const rest = { exec: 'run', gracefulStop: '5000ms' };
    expect(stock(loop)).toEqual({ executor: 'constant-vus', vus: 4, duration: '30000ms', ...rest });
    expect(stock({ ...loop, max_calls: 3 })).toEqual({
      executor: 'shared-iterations',
      vus: 3,
      iterations: 3,
      maxDuration: '30000ms',
      ...rest,
    });
  });

  it('are refused where they would start other calls than planned', () => {
    expect(() => stock({ trace: TRACE })).toThrow(
      /^scenario chat: expected a k6 with .* which a trace needs; found one without$/,
    );
    expect(() => stock({ max_calls: 9 })).toThrow('which max_calls needs');
    expect(stock({ max_calls: 10 }).executor).toBe('constant-arrival-rate');
  });

  it('are noted where they start as many calls otherwise', () => {
    const poisson = scenarioOf({ arrival: arrivalOf({ process: 'poisson' }) });
    expect(stockNotes(PLAN, [scenarioOf(), poisson])).toEqual([
      'chat: starts are even, not poisson: this k6 has no weighbridge-arrivals executor',
    ]);
    expect(stockNotes(POOL, [])).toEqual([
      'each virtual user holds one call, not 100: this k6 has no weighbridge-arrivals executor',
    ]);
  });
});

describe('the options of connections', () => {
  const optionsOf = (http: Partial<HttpOptions>) =>
    httpOptionsOf(planOf({ workload: workloadOf({ http: { ...PLAIN_HTTP, ...http } }) }), '1.2.3');

  it("are k6's defaults where nothing is said", () => {
    expect(optionsOf({})).toEqual({
      userAgent: 'weighbridge/1.2.3 run/run-1',
      dns: { ttl: '5m', select: 'random', policy: 'preferIPv4' },
      insecureSkipTLSVerify: false,
      noConnectionReuse: false,
      noVUConnectionReuse: false,
    });
  });

  it('are those that are set, debugging output apart', () => {
    const hosts = { 'gateway.example': '127.0.0.1:8443' };
    const set = optionsOf({
      rps: 40,
      hosts,
      insecure_skip_tls_verify: true,
      tls_min: 'tls1.3',
      debug: 'full',
    });
    expect(set).toMatchObject({ rps: 40, hosts, insecureSkipTLSVerify: true, tlsVersion: { min: 'tls1.3' } });
    expect(set).not.toHaveProperty('httpDebug');
    expect(optionsOf({ reuse: 'iteration' })).toMatchObject({
      noConnectionReuse: false,
      noVUConnectionReuse: true,
    });
    expect(optionsOf({ reuse: 'none' })).toMatchObject({
      noConnectionReuse: true,
      noVUConnectionReuse: false,
    });
  });

  it('limit the requests of each of several k6 to its part, rounded down', () => {
    const workload = workloadOf({ http: { ...PLAIN_HTTP, rps: 50 } });
    expect(httpOptionsOf(planOf({ workload, instances: 3 }), '1')).toMatchObject({ rps: 16 });
  });
});
