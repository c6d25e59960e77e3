import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import {
  callRow,
  failedRow,
  planOf,
  scenarioPlan,
  stateLine,
  ZERO,
} from '../../measure/ledger.test-support.ts';
import { arrivalOf, objectiveOf, stageOf } from '../../workload/plan.test-support.ts';
import { CAPACITY_FILE } from '../folder/run-files.ts';
import { reportedStep, unjudgedSteps } from '../judge/reported-step.ts';
import { type FindCapacityOptions, findCapacity, refuseWithoutObjectives } from './find-capacity.ts';

let runDir: string;
beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), 'weighbridge-capacity-'));
  mkdirSync(join(runDir, 'calls'));
});
afterEach(() => rmSync(runDir, { recursive: true, force: true }));

const BASE = planOf(
  [scenarioPlan({ arrival: arrivalOf({ stages: [stageOf(20_000, 1_000)] }) })],
  [objectiveOf({ measure: 'error_share', max: 0.1 })],
);
const PLAN = { ...BASE, workload: { ...BASE.workload, duration_ms: 20_000 } };
const BOUNDS = { from: 1, resolution: 0.2, mostSteps: 12 };

/** The plan with one scenario of that many starts a second. */
function planAt(rate: number, plan: Plan): Plan {
  const scenarios = plan.workload.scenarios.map((scenario) => ({
    ...scenario,
    arrival: { ...scenario.arrival, stages: [stageOf(20_000, rate * 1000)] },
  }));
  return { ...plan, workload: { ...plan.workload, scenarios } };
}

interface Target {
  /** Starts per second beyond which half of the calls fail. */
  readonly capacity: number;
  readonly lateFrom?: number;
  readonly costUsd?: string;
  /** The cap keeps one call back, with this code. */
  readonly keptBack?: string;
}

/** Leaves the ledger of a step, as the load engine would. */
function drive(target: Target, seen: Plan[] = []): FindCapacityOptions['drive'] {
  return ({ plan, instance }) => {
    seen.push(plan);
    const rate = (plan.workload.scenarios[0]?.arrival.stages[0]?.from_millirate ?? 0) / 1000;
    const of = { run_id: plan.run_id, instance };
    const count = Math.round(rate * 20);
    const rows = Array.from({ length: count }, (_, n) => {
      const late = rate >= (target.lateFrom ?? Number.POSITIVE_INFINITY) ? 900 : 1;
      const ids = {
        ...of,
        call_id: `${instance}/chat/${n}/1`,
        logical_id: `chat/${n}`,
        schedule_lag_ms: late,
        worst_case_usd: '0.01',
      };
      return rate > target.capacity && n % 2 === 0 ? failedRow(n, ids) : callRow(n, ids);
    });
    const state = stateLine(
      { planned: count, started: count },
      { ...of, reserved_usd: target.costUsd ?? null },
    );
    const lines = [
      {
        schema: 'weighbridge.ledger/1',
        ...of,
        file: 0,
        segment: null,
        seed: 7,
        clock: { wall: new Date(ZERO).toISOString(), mono_ms: 0 },
        plan_hash: plan.plan_hash,
        key_fp: null,
        cores: 2,
        versions: { weighbridge: '0', k6: '0', go: '0' },
      },
      ...rows,
      ...(target.keptBack === undefined
        ? []
        : [
            failedRow(count, {
              ...of,
              call_id: `${instance}/chat/${count}/1`,
              logical_id: `chat/${count}`,
              outcome: 'not_sent',
              error_code: target.keptBack,
            }),
          ]),
      state,
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(runDir, 'calls', `${instance}-0.ndjson`), text);
    return Promise.resolve({ halted: null });
  };
}

function find(changes: Partial<FindCapacityOptions>) {
  return findCapacity({
    plan: PLAN,
    runDir,
    bounds: BOUNDS,
    drive: drive({ capacity: 5 }),
    interrupted: () => false,
    say: () => undefined,
    permit: () => undefined,
    ...changes,
  });
}

const scales = ({ steps }: Awaited<ReturnType<typeof findCapacity>>) =>
  steps.map(({ rate_scale }) => rate_scale);

describe('findCapacity', () => {
  it('finds the highest rate that holds, and leaves the search in the run folder', async () => {
    const seen: Plan[] = [];
    const found = await find({ drive: drive({ capacity: 5 }, seen) });
    expect(scales(found)).toEqual([1, 2, 4, 8, 6, 5]);
    expect(found).toMatchObject({ rate_scale: 5, asked_rate: 5, ended: 'resolved' });
    expect(found.steps[3]).toMatchObject({
      verdict: 'missed',
      reasons: ['chat: error_share is 0.5, at most 0.1 asked'],
    });
    expect(new Set(seen.map(({ run_id }) => run_id)).size).toBe(6);
    expect(CAPACITY_FILE.read(runDir)).toEqual(found);
    expect(reportedStep(found)).toBe('step6');
  });

  it('ends where the client is the limit, and does not blame the target', async () => {
    const found = await find({ drive: drive({ capacity: 100, lateFrom: 4 }) });
    expect(scales(found)).toEqual([1, 2, 4, 4]);
    expect(found).toMatchObject({ rate_scale: 2, ended: 'client_limited' });
    expect(found.steps[2]?.reasons).toEqual([expect.stringContaining('schedule lag p99 900 ms')]);
  });

  it('takes what a step may have cost from the cap of the next, and ends when nothing is left', async () => {
    const seen: Plan[] = [];
    const by_scenario = { chat: '9' };
    const plan = { ...PLAN, cap: { ...PLAN.cap, max_spend_usd: '0.5', by_scenario } };
    const found = await find({ plan, drive: drive({ capacity: 100, costUsd: '0.2' }, seen) });
    expect(seen.map(({ cap }) => cap.max_spend_usd)).toEqual(['0.5', '0.3', '0.1']);
    // Twenty, then forty calls, each with a worst case of 0.01.
    expect(seen.map(({ cap }) => cap.by_scenario['chat'])).toEqual(['9', '8.8', '8.4']);
    expect(found).toMatchObject({ rate_scale: 4, ended: 'spend_cap' });
  });

  it('ends at the rate that the permission allows, and refuses where it does not allow the first', async () => {
    const permit = ({ workload }: Plan) => {
      if ((workload.scenarios[0]?.arrival.stages[0]?.from_millirate ?? 0) <= 2_000) return;
      throw new WeighbridgeError({
        code: 'permission_needed',
        message: 'm',
        hint: 'h',
        exitCode: EXIT.usage,
      });
    };
    expect(await find({ permit })).toMatchObject({ rate_scale: 2, ended: 'not_permitted' });
    await expect(find({ permit, bounds: { ...BOUNDS, from: 4 } })).rejects.toThrow('m');
  });

  it('ends when it is interrupted, and when a step was halted', async () => {
    let asked = 0;
    const interrupted = () => {
      asked += 1;
      return asked > 2;
    };
    expect(await find({ interrupted })).toMatchObject({ ended: 'interrupted', rate_scale: 2 });
    const whole = drive({ capacity: 5 });
    const halt = (halted: string): FindCapacityOptions['drive'] => {
      return async (step) => ({ ...(await whole(step)), halted });
    };
    expect(await find({ drive: halt('stop_rule_5xx') })).toMatchObject({ ended: 'halted', rate_scale: null });
    expect(await find({ drive: halt('spend_cap') })).toMatchObject({ ended: 'spend_cap' });
    // The cap stopped one kind alone: the step went on, with another mix than its rate says.
    const lost = await find({ drive: drive({ capacity: 5, keptBack: 'spend_cap_by_kind' }) });
    expect(lost).toMatchObject({ ended: 'spend_cap', steps: [{ verdict: 'halted' }] });
  });

  it('takes no rate for held or missed by a few calls, and says how to get more', async () => {
    const few = objectiveOf({ measure: 'e2e_ms', percentile: 95, max: 9000 });
    const plan = { ...PLAN, workload: { ...PLAN.workload, objectives: [few] } };
    const found = await find({
      plan: planAt(3, plan),
      drive: (step) => drive({ capacity: 100 })({ ...step, plan: planAt(1, step.plan) }),
    });
    expect(found).toMatchObject({ rate_scale: null, ended: 'too_few_calls' });
    expect(found.steps).toMatchObject([
      { verdict: 'too_few_calls', reasons: [expect.stringMatching(/^chat: 20 calls to/)] },
    ]);
    expect(unjudgedSteps(found)).toEqual(found.steps[0]?.reasons);
    // Rates above the least are judged: what they found stands.
    expect(unjudgedSteps({ ...found, rate_scale: 1 })).toEqual([]);
  });

  it('makes no step that plans too few calls to decide an objective', async () => {
    const said: string[] = [];
    const found = await find({ drive: drive({ capacity: 0.5 }), say: (line) => said.push(line) });
    expect(found).toMatchObject({ rate_scale: null, ended: 'too_few_calls', steps: [{ verdict: 'missed' }] });
    expect(said.at(-1)).toBe(
      'The search stops before the next step: chat plans 10 calls for error_share and needs 20',
    );
  });

  it('goes no lower where no call succeeds: the rate is not to blame', async () => {
    const fails = (step: Parameters<FindCapacityOptions['drive']>[0]) => {
      const ids = { run_id: step.plan.run_id, instance: step.instance };
      const text = `${JSON.stringify(failedRow(0, ids))}\n${JSON.stringify(stateLine({ planned: 1, started: 1 }, ids))}\n`;
      writeFileSync(join(runDir, 'calls', `${step.instance}-0.ndjson`), text);
      return Promise.resolve({ halted: null });
    };
    const found = await find({ drive: fails });
    expect(found).toMatchObject({
      ended: 'halted',
      steps: [{ verdict: 'halted', reasons: ['no call succeeded'] }],
    });
  });

  it('takes a rate whose starts were dropped for one that did not hold', async () => {
    const base = drive({ capacity: 100 });
    const found = await find({
      bounds: { ...BOUNDS, mostSteps: 1 },
      plan: planAt(1, {
        ...PLAN,
        workload: { ...PLAN.workload, scenarios: [scenarioPlan({ max_in_flight: 1 })] },
      }),
      drive: async (step) => {
        const end = await base(step);
        const file = join(runDir, 'calls', 'late-0.ndjson');
        const state = stateLine(
          { planned: 10, started: 9, dropped: 1, in_flight: 1 },
          { run_id: step.plan.run_id, instance: step.instance, elapsed_ms: 10_001 },
        );
        writeFileSync(file, `${JSON.stringify(state)}\n`);
        return end;
      },
    });
    expect(found.steps).toMatchObject([{ verdict: 'missed', only_dropped: true, concurrency: null }]);
    expect(found.steps[0]?.reasons[0]).toContain('1 of 10 starts were dropped');
  });
});

it('refuses a search that no rate could miss', () => {
  expect(() => refuseWithoutObjectives([])).toThrow(/needs at least one objective/);
  expect(() => refuseWithoutObjectives([{ measure: 'usd_per_1000_good' }])).toThrow(
    /needs at least one objective/,
  );
  expect(() => refuseWithoutObjectives([{ measure: 'ttft_ms' }])).not.toThrow();
});
