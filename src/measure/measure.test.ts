import { describe, expect, it } from 'vitest';
import type { CallRow, StateLine } from '../contracts/ledger-lines.ts';
import type { Plan } from '../contracts/plan.ts';
import { arrivalOf, objectiveOf, stageOf } from '../workload/plan.test-support.ts';
import { callRow, costsOf, failedRow, planOf, scenarioPlan, stateLine, ZERO } from './ledger.test-support.ts';
import { type Measurement, measure } from './measure.ts';

const NOT_SENT = { outcome: 'not_sent', error_type: 'none', blame: 'none', status: null } as const;

function measured(
  rows: readonly CallRow[],
  states: readonly StateLine[] = [],
  plan: Plan = planOf([scenarioPlan()]),
): Measurement {
  return measure({ plan, rows, states, window: null, cores: 2, costs: null });
}

describe('counts and rates', () => {
  it('sums the last state line of each instance', () => {
    const states = [
      stateLine({ planned: 2, started: 2 }, { elapsed_ms: 1000, final: false }),
      stateLine({ planned: 6, started: 5, dropped: 1 }),
      stateLine({ planned: 4, started: 2, dropped: 1, held: 1 }, { instance: 'i2' }),
    ];
    const { load } = measured([callRow(0)], states);
    expect(load.total).toMatchObject({ planned: 10, started: 7, dropped: 2, held: 1 });
    expect(load.scenarios[0]).toMatchObject({ scenario: 'chat', kind: 'chat', planned: 10 });
  });

  it('gives asked and achieved rate over the time of starts, not over the drain', () => {
    const rows = [callRow(0), callRow(9000, { end_ms: 20_000 })];
    const { load, window } = measured(rows, [stateLine({ planned: 10, started: 5, dropped: 5 })]);
    expect(window).toEqual({ start: '2026-11-20T10:00:00.000Z', end: '2026-11-20T10:00:10.000Z' });
    expect(load.total).toMatchObject({ asked_rate: 1, achieved_rate: 0.5, goodput: 0.2 });
  });

  it('counts what rows know beyond a killed client’s last state line', () => {
    const rows = [callRow(0), callRow(100), callRow(200)];
    const { load } = measured(rows, [stateLine({ planned: 3, started: 2, dropped: 1 }, { final: false })]);
    expect(load.total).toMatchObject({ planned: 4, started: 3, dropped: 1 });
  });

  it('leaves out lines of another run', () => {
    const rows = [callRow(0), callRow(1, { run_id: 'trial' })];
    const states = [stateLine({ started: 1 }), stateLine({ started: 9 }, { run_id: 'trial', instance: 'x' })];
    expect(measured(rows, states).load.total).toMatchObject({ ok: 1, started: 1 });
  });
});

describe('rates that are not the plan’s', () => {
  it('are of the time until the last start, where starts are late', () => {
    const rows = Array.from({ length: 10 }, (_, index) =>
      callRow(index * 2000, { schedule_lag_ms: index * 1000, end_ms: 100 }),
    );
    const { load } = measured(rows, [stateLine({ planned: 10, started: 10 })]);
    expect(load).toMatchObject({
      measured_s: 18,
      total: { asked_rate: 1, achieved_rate: 0.555556, goodput: 0.555556 },
    });
  });

  it('are as asked where random starts are all made, however many were drawn', () => {
    const arrival = arrivalOf({ process: 'poisson' });
    const rows = Array.from({ length: 12 }, (_, index) => callRow(index * 800));
    const { load } = measured(
      rows,
      [stateLine({ planned: 12, started: 12 })],
      planOf([scenarioPlan({ arrival })]),
    );
    expect(load.total).toMatchObject({ planned: 12, asked_rate: 1.2, achieved_rate: 1.2 });
  });

  it.each(['even', 'poisson'] as const)(
    'are planned over the planned time where a halt kept starts from being made: %s',
    (process) => {
      const arrival = arrivalOf({ process });
      const halted = stateLine(
        { planned: 12, started: 4, held: 8 },
        { at: new Date(ZERO + 4000).toISOString(), halted: 'spend_cap' },
      );
      const rows = [0, 800, 1600, 3900].map((at) => callRow(at, { end_ms: 50 }));
      const { load } = measured(rows, [halted], planOf([scenarioPlan({ arrival })]));
      expect(load.total).toMatchObject({ planned: 12, asked_rate: 1.2, achieved_rate: 1 });
    },
  );

  it.each(['even', 'poisson'] as const)('are of an execution segment’s own starts: %s', (process) => {
    const arrival = arrivalOf({ process, stages: [stageOf(6_000, 3_000)] });
    const base = planOf([scenarioPlan({ arrival })]);
    const plan = { ...base, workload: { ...base.workload, duration_ms: 6_000 } };
    const rows = Array.from({ length: 6 }, (_, index) => callRow(index * 900));
    const { load } = measured(rows, [stateLine({ planned: 6, started: 6 })], plan);
    expect(load.total).toMatchObject({ planned: 6, asked_rate: 1, achieved_rate: 1 });
  });

  it('count the rows of a script of one’s own over the time that they span', () => {
    const own = { planned_at: null, schedule_lag_ms: null, end_ms: 500 };
    const rows = [
      ...[0, 500, 1000].map((at) => callRow(at, own)),
      ...[1500, 2000].map((at) => failedRow(at, { ...own, outcome: 'aborted' })),
    ];
    const { load } = measured(rows, [stateLine({ planned: 0, started: 0 })]);
    expect(load).toMatchObject({
      measured_s: 2.5,
      total: { planned: 5, started: 5, ok: 3, asked_rate: null, achieved_rate: 2, goodput: 1.2 },
    });
  });
});

describe('warm-up and cool-down', () => {
  const plan = (changes: Partial<Plan['workload']> = {}) => {
    const base = planOf([scenarioPlan()]);
    return { ...base, workload: { ...base.workload, warm_up_ms: 2000, cool_down_ms: 3000, ...changes } };
  };
  const rows = [
    ...[0, 1000].map((at) => callRow(at, { phase: 'warm_up', ttft_ms: 999 })),
    ...[2000, 3000, 4000, 5000].map((at) => callRow(at)),
    ...[7000, 8000, 9000].map((at) => failedRow(at, { phase: 'cool_down' })),
  ];
  const whole = { planned: 10, started: 9, dropped: 1, held: 0 };

  it('are in no count, no rate and no time', () => {
    const states = [stateLine({ ...whole, measured: { planned: 5, started: 4, dropped: 1, held: 0 } })];
    const { load, window } = measured(rows, states, plan());
    expect(window).toEqual({ start: '2026-11-20T10:00:02.000Z', end: '2026-11-20T10:00:07.000Z' });
    expect(load.total).toMatchObject({
      planned: 5,
      started: 4,
      dropped: 1,
      asked_rate: 1,
      achieved_rate: 0.8,
    });
    expect(load.total).toMatchObject({ ok: 4, good: 4, goodput: 0.8, attainment: 1, outcomes: { ok: 4 } });
    expect(load.total.latency.ttft).toMatchObject({ count: 4, max: 100 });
  });

  it('are told from the rest by the schedule where the client left no state line', () => {
    expect(measured(rows, [], plan()).load.total).toMatchObject({ planned: 5, started: 4 });
  });
});

describe('the measured period', () => {
  const at = (ms: number) => new Date(ZERO + ms).toISOString();

  it('begins with the schedule, not with its first start', () => {
    const trace = { file: 'trace.ndjson', sha256: '', calls: 4 };
    const plan = planOf([scenarioPlan({ arrival: arrivalOf({ stages: [stageOf(10_000, 0)], trace }) })]);
    const rows = [5, 6, 7, 8].map((second) => callRow(second * 1000));
    const { window, load, series } = measured(
      rows,
      [stateLine({ planned: 4, started: 4 }, { began_at: at(0) })],
      plan,
    );
    expect(window).toEqual({ start: at(0), end: at(10_000) });
    expect(load.total).toMatchObject({ asked_rate: 0.4, achieved_rate: 0.4 });
    expect(series).toMatchObject({ start: at(0), kinds: [{ started: [0, 0, 0, 0, 0, 1, 1, 1, 1] }] });
  });

  it('begins at the end of the warm-up, with or without the schedule’s zero in the ledger', () => {
    const base = planOf([scenarioPlan({ arrival: arrivalOf({ process: 'poisson' }) })]);
    const plan = { ...base, workload: { ...base.workload, warm_up_ms: 2000 } };
    const rows = [
      ...[300, 1100].map((ms) => callRow(ms, { phase: 'warm_up' })),
      ...[2900, 4100, 9300].map((ms) => callRow(ms)),
    ];
    const told = measured(rows, [stateLine({ planned: 5, started: 5 }, { began_at: at(0) })], plan);
    expect(told.window).toEqual({ start: at(2000), end: at(10_000) });
    const older = measured(rows, [stateLine({ planned: 5, started: 5 })], plan);
    expect(older.window).toEqual({ start: at(2300), end: at(10_300) });
    const early = [callRow(1900, { phase: 'warm_up' }), callRow(2100), callRow(3000)];
    expect(measured(early, [stateLine({})], plan).window?.start).toBe(at(2100));
  });

  it('does not begin later by the lag of the first start', () => {
    const rows = [
      callRow(80, { planned_at: at(0), schedule_lag_ms: 80 }),
      ...[1, 2, 3].map((second) => callRow(second * 1000)),
    ];
    const { window, series } = measured(rows, [stateLine({ planned: 10, started: 4 })]);
    expect(window?.start).toBe(at(0));
    expect(series).toMatchObject({ start: at(0), kinds: [{ started: [1, 1, 1, 1] }] });
  });
});

describe('starts and turns', () => {
  it('counts a session once, and each of its turns as a call', () => {
    const rows = [1, 2, 3].map((turn) =>
      callRow(turn * 1000, {
        turn,
        logical_id: `chat/0.${turn}`,
        schedule_lag_ms: turn === 1 ? 4 : null,
        planned_at: null,
      }),
    );
    const { load } = measured(rows, [stateLine({ planned: 1, started: 1 }, { final: false })]);
    expect(load.total).toMatchObject({ planned: 1, started: 1, ok: 3 });
    expect(load.total.latency.e2e?.count).toBe(3);
    expect(load.total.latency.e2e_planned).toMatchObject({ count: 1, max: 504 });
  });

  it('asks a closed loop for no rate, and has no rate for several scenarios with one in them', () => {
    const closed = scenarioPlan({ arrival: arrivalOf({ stages: [stageOf(10_000, 0)], concurrency: 3 }) });
    const { load } = measured([callRow(0)], [stateLine({ planned: 5, started: 5 })], planOf([closed]));
    expect(load.total).toMatchObject({ asked_rate: null, achieved_rate: 0.5 });
  });

  it('ends the time of a closed loop that made all its calls with the last answer', () => {
    const closed = (max_calls: number) =>
      scenarioPlan({
        arrival: arrivalOf({ stages: [stageOf(3_600_000, 0)], concurrency: 2, max_calls }),
      });
    const rows = [callRow(0), callRow(1_000)];
    const of = (most: number) =>
      measured(rows, [stateLine({ planned: 2, started: 2 })], planOf([closed(most)])).load;
    expect(of(2)).toMatchObject({ measured_s: 1.5, total: { achieved_rate: 1.333333, goodput: 1.333333 } });
    expect(of(3).measured_s).toBeGreaterThan(2);
  });
});

describe('calls that were sent again', () => {
  const rows = [
    failedRow(0, { logical_id: 'one', end_ms: 40, schedule_lag_ms: 5 }),
    callRow(1000, { logical_id: 'one', attempt: 2, schedule_lag_ms: null }),
  ];

  it('are one call, whose times count from its first attempt', () => {
    const { load } = measured(rows, [stateLine({ planned: 1, started: 1 })]);
    expect(load.total).toMatchObject({ ok: 1, outcomes: { ok: 1 }, retries: { calls: 1, attempts: 1 } });
    expect(load.total.latency).toMatchObject({
      ttft: { count: 1, p50: 1100 },
      e2e: { p50: 1500 },
      e2e_planned: { p50: 1505 },
      schedule_lag: { count: 1, max: 5 },
      tpot: { p50: 40 },
    });
  });
});

describe('logical calls', () => {
  it('counts a fallback once, under its planned kind, from its first start', () => {
    const plan = planOf([scenarioPlan({ name: 'job', kind: 'image_job' })]);
    const job = { scenario: 'job', logical_id: 'one', stream: false, ttft_ms: null, usage: null } as const;
    const rows = [
      failedRow(0, { ...job, kind: 'image_job', status: 404, end_ms: 40, schedule_lag_ms: 5 }),
      callRow(50, { ...job, kind: 'image', attempt: 2, end_ms: 300, schedule_lag_ms: null }),
    ];
    const { load, series } = measured(rows, [], plan);
    expect(load.kinds).toMatchObject([
      { kind: 'image_job', ok: 1, started: 1, outcomes: { ok: 1 }, attainment: 1 },
    ]);
    expect(load.total.latency.e2e).toMatchObject({ count: 1, p50: 350 });
    expect(load.total.latency.e2e_planned?.p50).toBe(355);
    expect(series.kinds).toMatchObject([{ kind: 'image_job', started: [1] }]);
  });

  it('takes polls, results and downloads for no call', () => {
    const rows = [
      callRow(0),
      ...(['poll', 'result', 'download', 'read'] as const).map((kind) => callRow(1, { kind })),
    ];
    expect(measured(rows).load.total).toMatchObject({ ok: 1, outcomes: { ok: 1 }, started: 1 });
  });

  it('takes a call that was never sent for no start', () => {
    const rows = [callRow(0), failedRow(1, NOT_SENT)];
    const { load } = measured(rows);
    expect(load.total).toMatchObject({ started: 1, held: 1, outcomes: { ok: 1 }, attainment: 1 });
  });
});

describe('calls that were never sent', () => {
  const rows = [callRow(0), failedRow(10), failedRow(20, NOT_SENT), failedRow(30, NOT_SENT)];
  const objective = objectiveOf({ measure: 'error_share', max: 0 });
  const plan = planOf([scenarioPlan()], [objective]);

  it('are held and nothing else, though the client’s counters call them started', () => {
    const { load, series } = measured(
      rows,
      [stateLine({ planned: 10, started: 4, dropped: 1, held: 5 }, { halted: 'spend_cap' })],
      plan,
    );
    const counts = { planned: 10, started: 2, dropped: 1, held: 7, ok: 1, attainment: 0.5 };
    expect(load.total).toMatchObject(counts);
    expect(load.total.outcomes).toEqual({ ok: 1, http_error: 1 });
    expect(load.total.failures).toMatchObject([{ outcome: 'http_error', count: 1 }]);
    expect(load.total.latency.schedule_lag?.count).toBe(2);
    expect(load.objectives).toMatchObject([{ actual: 0.5 }]);
    expect(series.kinds).toMatchObject([{ started: [2], ok: [1], errors: [1] }]);
  });

  it('are held where the client was killed before its counters were written', () => {
    const { load } = measured(rows, [stateLine({ planned: 1, started: 1 }, { final: false })], plan);
    expect(load.total).toMatchObject({ planned: 4, started: 2, held: 2 });
  });
});

describe('time of starts of a run that was halted', () => {
  const at = (ms: number, changes: Partial<StateLine> = {}) =>
    stateLine(
      { planned: 10, started: 4, held: 6 },
      { at: new Date(ZERO + ms).toISOString(), elapsed_ms: ms, final: false, ...changes },
    );
  const rows = [0, 1000, 2000, 3000].map((start) => callRow(start, { end_ms: 5000 }));

  it.each(['interrupted', 'spend_cap', 'ledger_failed'] as const)(
    'ends with the starts, not with the drain: %s',
    (halted) => {
      const states = [
        at(3000),
        at(4000, { halted }),
        at(8000, { halted }),
        at(9500, { halted, final: true }),
      ];
      const { load, window } = measured(rows, states);
      expect(window?.end).toBe('2026-11-20T10:00:04.000Z');
      expect(load).toMatchObject({
        measured_s: 4,
        total: { started: 4, achieved_rate: 1, asked_rate: 1, goodput: 1 },
      });
    },
  );

  it('is never shorter than to the last start', () => {
    const states = [at(2900, { halted: 'interrupted' }), at(9000, { halted: 'interrupted', final: true })];
    expect(measured(rows, states).load.measured_s).toBe(3);
  });

  it('lasts until the next start would have been due: a rate of one call is not that of its milliseconds', () => {
    const states = [at(39, { halted: 'spend_cap', final: true })];
    const { load } = measured([callRow(0, { end_ms: 30 })], states);
    expect(load).toMatchObject({ measured_s: 1, total: { achieved_rate: 4, goodput: 1 } });
    const slow = scenarioPlan({ name: 'slow', arrival: arrivalOf({ stages: [stageOf(10_000, 100)] }) });
    expect(measured([callRow(0)], states, planOf([slow, scenarioPlan()])).load.measured_s).toBe(1);
    const over = scenarioPlan({ name: 'over', arrival: arrivalOf({ max_calls: 1 }) });
    expect(measured([callRow(0)], states, planOf([over, scenarioPlan()])).load.measured_s).toBe(1);
    const loop = scenarioPlan({ name: 'loop', arrival: arrivalOf({ concurrency: 2 }) });
    expect(measured([callRow(0)], states, planOf([loop, scenarioPlan()])).load.measured_s).toBe(0.039);
  });

  it('ends where the start was due that the halt refused first, not with the second of the state line', () => {
    const plan = planOf([scenarioPlan({ arrival: arrivalOf({ stages: [stageOf(10_000, 2_000)] }) })]);
    const sent = [0, 500, 1000, 1500, 2000].map((start) => callRow(start, { end_ms: 100 }));
    const late = { planned_at: new Date(ZERO + 2500).toISOString(), schedule_lag_ms: 3, end_ms: 0 };
    const refused = failedRow(2503, { ...NOT_SENT, ...late });
    const counts = { planned: 20, started: 6, held: 14 };
    const states = [
      stateLine(counts, { at: new Date(ZERO + 2000).toISOString(), elapsed_ms: 2000, final: false }),
      stateLine(counts, { at: new Date(ZERO + 3000).toISOString(), halted: 'spend_cap', elapsed_ms: 3000 }),
    ];
    const { load } = measured([...sent, refused], states, plan);
    expect(load).toMatchObject({
      measured_s: 2.5,
      total: { started: 5, asked_rate: 2, achieved_rate: 2, goodput: 2 },
    });
    // A scenario's own cap refuses starts, too, and ends none but its own.
    const capped = failedRow(1200, { ...NOT_SENT, scenario: 'other' });
    expect(measured([...sent, capped], states, plan).load.measured_s).toBe(3);
    for (const error_code of ['spend_cap_by_model', 'spend_cap_by_kind']) {
      const part = failedRow(2503, { ...NOT_SENT, ...late, error_code });
      expect(measured([...sent, part], states, plan).load.measured_s).toBe(3);
    }
  });

  it('ends by the moment of the halt that the state line tells', () => {
    const plan = planOf([scenarioPlan({ arrival: arrivalOf({ stages: [stageOf(10_000, 2_000)] }) })]);
    const sent = [0, 500, 1000, 1500, 2000].map((start) => callRow(start, { end_ms: 100 }));
    const halted_at = new Date(ZERO + 2300).toISOString();
    const states = [at(2000), at(3300, { halted: 'interrupted', halted_at, final: true })];
    expect(measured(sent, states, plan).load).toMatchObject({
      measured_s: 2.5,
      total: { achieved_rate: 1.6 },
    });
  });

  it('ends with the ledger where the load engine was killed', () => {
    const killed = [at(1000), at(2000), at(3400)];
    // What ended later started before: the starts are known until the last state line.
    expect(measured(rows.slice(0, 3), killed).load).toMatchObject({ measured_s: 4 });
    const short = [0, 1000, 2000, 3000].map((start) => callRow(start, { end_ms: 100 }));
    expect(measured(short, killed).load).toMatchObject({ measured_s: 4, total: { goodput: 1 } });
    expect(measured(short.slice(0, 2), []).load.measured_s).toBe(2);
    const other = at(10_000, { instance: 'i2', final: true });
    expect(measured(short, [...killed, other]).load.measured_s).toBe(10);
  });

  it('is the planned time where the halt came in the drain, or another instance went on', () => {
    expect(measured(rows, [at(12_000, { halted: 'interrupted', final: true })]).load.measured_s).toBe(10);
    const states = [
      at(4000, { halted: 'spend_cap', final: true }),
      at(10_000, { instance: 'i2', final: true }),
    ];
    expect(measured(rows, states).load.measured_s).toBe(10);
  });
});

describe('latency', () => {
  it('takes times of ok calls in the measured phase only', () => {
    const rows = [
      callRow(0, { ttft_ms: 100 }),
      callRow(1, { ttft_ms: 900, phase: 'warm_up' }),
      failedRow(2, { ttft_ms: 900, end_ms: 9 }),
    ];
    const { latency } = measured(rows).load.total;
    expect(latency.ttft).toMatchObject({ count: 1, max: 100 });
    expect(latency.e2e).toMatchObject({ count: 1, max: 500 });
    expect(latency.schedule_lag?.count).toBe(2);
  });

  it('has TTFT and TPOT of streamed calls only, and TPOT from two tokens up', () => {
    const usage = (output: number) => ({
      input: 1,
      output,
      cache_read: null,
      cache_write: null,
      reasoning: null,
      raw: null,
    });
    const rows = [
      callRow(0, { ttft_ms: 100, end_ms: 500, usage: usage(11) }),
      callRow(1, { stream: false, ttft_ms: 5, usage: usage(11) }),
      callRow(2, { usage: usage(1) }),
    ];
    const { latency, tokens } = measured(rows).load.total;
    expect(latency.ttft?.count).toBe(2);
    expect(latency.tpot).toMatchObject({ count: 1, p50: 40 });
    expect(tokens).toEqual({ input: 3, output: 23 });
  });

  it('pools the gaps of all calls', () => {
    const rows = [
      callRow(0, {
        itl: [
          [10, 2],
          [20, 1],
        ],
        max_gap_ms: 20,
        end_ms: 140,
      }),
      callRow(1, { itl: [[10, 1]], max_gap_ms: 10, end_ms: 110 }),
    ];
    expect(measured(rows).load.total.latency.itl).toMatchObject({ count: 4, mean: 12.5, max: 20 });
  });
});

describe('objectives', () => {
  const objectives = [
    objectiveOf({ measure: 'ttft_ms', percentile: 50, max: 150 }),
    objectiveOf({ measure: 'error_share', percentile: null, max: 0.5 }),
    objectiveOf({ measure: 'dropped_share', percentile: null, max: 0 }),
  ];

  it('counts as good what is ok and within every bound', () => {
    const rows = [
      callRow(0, { ttft_ms: 100 }),
      callRow(1, { ttft_ms: 150 }),
      callRow(2, { ttft_ms: 151 }),
      failedRow(3),
    ];
    const { load } = measured(
      rows,
      [stateLine({ planned: 10, started: 4, dropped: 1 })],
      planOf([scenarioPlan()], objectives),
    );
    expect(load.total).toMatchObject({ ok: 3, goodput: 0.2, attainment: 0.5 });
    expect(load.objectives).toEqual([
      { ...objectives[0], actual: 150, actual_usd: null, actual_at_most: false, met: true },
      { ...objectives[1], actual: 0.25, actual_usd: null, actual_at_most: false, met: true },
      { ...objectives[2], actual: 0.1, actual_usd: null, actual_at_most: false, met: false },
    ]);
  });

  it('does not hold a call against the target that we ended', () => {
    const rows = [callRow(0), failedRow(1, { outcome: 'interrupted' }), failedRow(2, { outcome: 'aborted' })];
    const { load } = measured(rows, [], planOf([scenarioPlan()], objectives));
    expect(load.total).toMatchObject({ attainment: 1, outcomes: { ok: 1, aborted: 1, interrupted: 1 } });
    expect(load.objectives[1]).toMatchObject({ actual: 0 });
  });

  it('misses an objective for which nothing was measured', () => {
    const { load } = measured([failedRow(0)], [], planOf([scenarioPlan()], objectives));
    expect(load.objectives[0]).toMatchObject({ actual: null, met: false });
  });

  it.each([
    ['goodput_rate', { min: 0.2 }, 0.2, true],
    ['goodput_rate', { min: 0.21 }, 0.2, false],
    ['attainment_share', { min: 0.5 }, 0.5, true],
    ['attainment_share', { min: 0.51 }, 0.5, false],
  ] as const)('bounds %s from below: %o', (measure, bound, actual, met) => {
    const plan = planOf([scenarioPlan()], [objectiveOf({ measure, ...bound })]);
    const rows = [callRow(0), callRow(1), failedRow(2), failedRow(3)];
    const { load } = measured(rows, [stateLine({ planned: 4, started: 4 })], plan);
    expect(load.objectives).toMatchObject([{ measure, max: null, actual, met }]);
  });

  it('judges the cost of good calls by the bill, and not without one', () => {
    const rows = [callRow(0, { call_id: 'a' }), failedRow(1, { call_id: 'b' })];
    const costs = costsOf({ a: 10_000_000_000n, b: 1_000_000n });
    const judge = (max_usd: string, bill: typeof costs | null) => {
      const plan = planOf([scenarioPlan()], [objectiveOf({ measure: 'usd_per_1000_good', max_usd })]);
      return measure({ plan, rows, states: [], window: null, cores: 2, costs: bill }).load;
    };
    expect(judge('10.001', costs)).toMatchObject({
      total: { usd_per_1000_good: '10.001' },
      objectives: [{ actual: null, actual_usd: '10.001', met: true }],
    });
    expect(judge('10.000999', costs).objectives).toMatchObject([{ met: false }]);
    expect(judge('10.001', null)).toMatchObject({
      total: { usd_per_1000_good: null },
      objectives: [{ actual_usd: null, actual_at_most: false, met: false }],
    });
  });
});

describe('client verdict', () => {
  it('is valid with figures', () => {
    expect(
      measured([callRow(0)], [stateLine({}, { elapsed_ms: 1 }), stateLine({ started: 1 }, { cpu: 1.6 })])
        .client,
    ).toEqual({
      verdict: 'valid',
      reasons: [],
      schedule_lag_p99_ms: 1,
      cpu_max: 1.6,
      gc_ms: 4,
      rows_lost: 0,
      cores: 2,
      cpu_p95: 1.54,
      gc_share: 0.002,
      timer_lag_p99_ms: 0.5,
      run_queue_p99_ms: 0.1,
      open_files_max: 10,
      open_files_limit: 1024,
      rss_max_bytes: 100_000_000,
      dropped_by_client: 0,
      rps_limit: null,
    });
  });

  it('does not judge what the ledger does not tell', () => {
    const silent = {
      timer_lag_ms: null,
      run_queue_p99_ms: null,
      open_files: null,
      open_files_limit: null,
      rss_bytes: null,
    };
    const late = stateLine({}, { elapsed_ms: 2, timer_lag_ms: 50.1 });
    expect(measured([callRow(0)], [stateLine({}, silent)]).client).toMatchObject({
      verdict: 'valid',
      timer_lag_p99_ms: null,
      run_queue_p99_ms: null,
      open_files_max: null,
      rss_max_bytes: null,
    });
    const lagOf = (ms: number, at: number) => stateLine({}, { elapsed_ms: at, timer_lag_ms: ms });
    // Of a short run one late second is forgiven, and no second one.
    expect(measured([callRow(0)], [lagOf(1, 1), lagOf(62, 2), lagOf(2, 3)]).client).toMatchObject({
      verdict: 'valid',
      timer_lag_p99_ms: 2,
    });
    expect(measured([callRow(0)], [lagOf(61, 1), lagOf(62, 2), lagOf(2, 3)]).client).toMatchObject({
      verdict: 'client_limited',
      timer_lag_p99_ms: 61,
    });
    // A line without a reading counts for nothing: it is no reading of 0.
    expect(measured([callRow(0)], [stateLine({}, { ...silent, elapsed_ms: 1 }), late]).client).toMatchObject({
      timer_lag_p99_ms: 50.1,
    });
  });

  it('is not valid where a ledger was not closed', () => {
    const of = (instance: string, final: boolean) => stateLine({}, { instance, final });
    const { client } = measured([callRow(0)], [of('i1', true), of('i2', false)]);
    expect(client.verdict).toBe('client_limited');
    expect(client.reasons).toEqual([
      'the ledger of i2 was not closed: how the client fared at its end is not known',
    ]);
    // A later file of the same instance was left open.
    const later = stateLine({}, { final: false, at: new Date(ZERO + 11_000).toISOString(), elapsed_ms: 900 });
    expect(measured([callRow(0)], [of('i1', true), later]).client.verdict).toBe('client_limited');
    // A killed one that left rows and no state line.
    expect(measured([callRow(0, { instance: 'i3' })], [of('i1', true)]).client.reasons).toEqual([
      expect.stringContaining('the ledger of i3 was not closed'),
    ]);
  });

  it('does not judge the CPU by what came before the first call', () => {
    const loading = stateLine({}, { at: new Date(ZERO - 1).toISOString(), elapsed_ms: 1, cpu: 2 });
    expect(measured([callRow(0)], [loading, stateLine({})]).client).toMatchObject({
      verdict: 'valid',
      cpu_max: 0.4,
    });
  });

  it.each([
    [
      'late starts',
      [callRow(0, { schedule_lag_ms: 21 })],
      [stateLine({})],
      /schedule lag p99 21 ms is above 20 ms/,
    ],
    ['CPU', [callRow(0)], [stateLine({}, { cpu: 1.61 })], /CPU p95 1.61 of 2 cores is above 1.6 of 2 cores/],
    ['a late timer', [callRow(0)], [stateLine({}, { timer_lag_ms: 50.1 })], /timer lag p99 50.1 ms/],
    ['the run queue', [callRow(0)], [stateLine({}, { run_queue_p99_ms: 10.5 })], /processor p99 10.5 ms/],
    ['pauses', [callRow(0)], [stateLine({}, { gc_ms: 11 })], /garbage collector 0.011 is above 0.01/],
    ['open files', [callRow(0)], [stateLine({}, { open_files: 973 })], /open files 973 is above 972.8/],
    [
      'starts that it dropped without need',
      [callRow(0)],
      [stateLine({ in_flight: 4 }, { elapsed_ms: 1 }), stateLine({ in_flight: 4, dropped: 3, planned: 3 })],
      /3 starts were dropped while less than half/,
    ],
    ['lost rows', [callRow(0)], [stateLine({}, { rows_lost: 3 })], /3 rows/],
    ['no state line', [callRow(0)], [], /no state line/],
  ] as const)('is client_limited by %s', (_, rows, states, reason) => {
    const { client } = measured(rows, states);
    expect(client.verdict).toBe('client_limited');
    expect(client.reasons).toEqual([expect.stringMatching(reason)]);
  });
});

describe('a limit on requests below the planned rate', () => {
  const base = planOf([scenarioPlan()]);
  const limited = (rps: number | null) => ({
    ...base,
    workload: { ...base.workload, http: { ...base.workload.http, rps } },
  });
  const late = [callRow(0, { schedule_lag_ms: 9000 })];

  it('makes starts late by the plan’s own doing', () => {
    expect(measured(late, [stateLine({})], limited(0.5)).client).toMatchObject({
      verdict: 'valid',
      rps_limit: { rps: 0.5, planned: 1 },
      schedule_lag_p99_ms: 9000,
    });
  });

  it.each([0.5, 1])('excuses no lateness of the client’s own: %s', (rps) => {
    const { client } = measured(late, [stateLine({}, { sched_lag_ms: 21 })], limited(rps));
    expect(client.reasons).toEqual([expect.stringMatching(/schedule lag p99 21 ms is above 20 ms/)]);
  });

  it('is named only where it leaves no room', () => {
    expect(measured(late, [stateLine({})], limited(1)).client).toMatchObject({
      verdict: 'valid',
      rps_limit: null,
    });
    expect(measured(late, [stateLine({})], limited(null)).client.verdict).toBe('client_limited');
  });
});

const NO_TIMES = { p50: [null, null, null], p95: [null, null, null], p99: [null, null, null] };

describe('series', () => {
  it('counts starts by their start and ends by their end, from the zero of the schedule', () => {
    const rows = [
      callRow(500, { end_ms: 1200, ttft_ms: 100 }),
      callRow(600, { end_ms: 100, ttft_ms: 50 }),
      failedRow(2600, { end_ms: 10 }),
    ];
    const total = {
      started: [2, 0, 1],
      ok: [1, 1, 0],
      errors: [0, 0, 1],
      ttft: NO_TIMES,
      ttft_planned: NO_TIMES,
      e2e: NO_TIMES,
      e2e_planned: NO_TIMES,
      failures: [{ code: '503 http_error', counts: [0, 0, 1] }],
      in_flight: [2, 1, 1],
      asked: [1, 1, 1],
    };
    expect(measured(rows).series).toEqual({
      bucket_s: 1,
      start: '2026-11-20T10:00:00.500Z',
      kinds: [{ kind: 'chat', ...total }],
      total,
    });
  });

  it('shows a percentile only where enough calls ended', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        callRow((index % 10) * 10, { call_id: `c${index}`, logical_id: `c${index}`, end_ms: index + 1 }),
      );
    const shown = (count: number) => {
      const { p50, p95, p99 } = measured(calls(count)).series.total.e2e;
      return [p50, p95, p99].map((values) => values.some((value) => value !== null));
    };
    expect([4, 5, 20, 100].map(shown)).toEqual([
      [false, false, false],
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ]);
  });

  it('takes as many buckets for a point as give it enough calls', () => {
    const rows = Array.from({ length: 150 }, (_, index) => callRow(index * 400));
    const { bucket_s, total } = measured(rows).series;
    expect(bucket_s).toBe(2);
    const drawn = total.e2e.p95.flatMap((value, bucket) => (value === null ? [] : [bucket]));
    expect(drawn).toEqual([2, 7, 12, 17, 22, 27]);
  });

  it('tells the most calls in flight, also of a call that spans many buckets', () => {
    const rows = [
      callRow(0, { end_ms: 4500, ttft_ms: null }),
      callRow(1100, { call_id: 'b', logical_id: 'b', end_ms: 100, ttft_ms: null }),
      callRow(1150, { call_id: 'c', logical_id: 'c', end_ms: 100, ttft_ms: null }),
    ];
    expect(measured(rows).series.total.in_flight).toEqual([1, 3, 1, 1, 1]);
  });

  it('never has more than 600 points', () => {
    const rows = Array.from({ length: 7201 }, (_, index) => callRow(index * 1000));
    const { bucket_s, kinds } = measured(rows).series;
    expect(bucket_s).toBe(15);
    expect(kinds[0]?.started.length).toBe(481);
    expect(kinds[0]?.started.reduce((sum, count) => sum + count, 0)).toBe(7201);
  });

  it.each([
    { calls: 600, seconds: 60, bucket_s: 1 },
    { calls: 150, seconds: 60, bucket_s: 2 },
    { calls: 60, seconds: 3600, bucket_s: 120 },
  ])('is as fine as $calls calls in $seconds s allow', ({ calls, seconds, bucket_s }) => {
    const rows = Array.from({ length: calls }, (_, index) => callRow((index * seconds * 1000) / calls));
    expect(measured(rows).series.bucket_s).toBe(bucket_s);
  });

  it('is empty where nothing was sent', () => {
    expect(measured([]).series).toMatchObject({ bucket_s: 1, start: null, kinds: [] });
    expect(measured([]).window).toBeNull();
  });
});

it('gives the same bytes for the same lines in any order', () => {
  const rows = Array.from({ length: 40 }, (_, index) =>
    callRow(index * 137, { end_ms: 100.1 + index * 7.3, ttft_ms: 10.7 + index }),
  );
  const states = [stateLine({ planned: 40, started: 40 })];
  const plan = planOf([scenarioPlan()]);
  const window = { start: new Date(ZERO).toISOString(), end: new Date(ZERO + 10_000).toISOString() };
  const one = measure({ plan, rows, states, window, cores: 2, costs: null });
  const other = measure({ plan, rows: rows.toReversed(), states, window, cores: 2, costs: null });
  expect(JSON.stringify(other)).toBe(JSON.stringify(one));
});

describe('throughput where there is no bill', () => {
  const plan = planOf([scenarioPlan()]);
  const plain = { ...plan, target: { ...plan.target, bill: 'none' as const } };
  const usage = (output: number | null) => ({
    usage: { input: 20, output, cache_read: null, cache_write: null, reasoning: null, raw: null },
  });
  const of = (rows: readonly CallRow[], planned: Plan = plain) =>
    measured(rows, [stateLine({ planned: 2, started: 2 })], planned).load.total.throughput;

  it('lasts from the first call to the last end', () => {
    const rows = [callRow(0, usage(30)), callRow(1_000, usage(60))];
    expect(of(rows)?.output_tokens).toBe(60);
    expect(of(rows, plan)).toBeUndefined();
  });

  it('is not known where an answer tells no tokens', () => {
    expect(of([callRow(0, usage(30)), callRow(1_000, usage(null))])?.output_tokens).toBeNull();
    expect(of([callRow(0, usage(30)), callRow(1_000, { usage: null })])?.output_tokens).toBeNull();
  });
});
