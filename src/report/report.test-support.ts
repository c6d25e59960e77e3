import { shownSetting } from '../contracts/coverage-result.ts';
import type { Finding } from '../contracts/finding.ts';
import {
  completenessOf,
  coverageOf,
  findingOf,
  judgedCallOf,
  moneyOf,
  reconciliationOf,
} from '../contracts/reconciliation.test-support.ts';
import type { JudgedCall, Reconciliation } from '../contracts/reconciliation.ts';
import type { PaidKind } from '../core/call-kind.ts';
import { callRow, failedRow, planOf, scenarioPlan, stateLine } from '../measure/ledger.test-support.ts';
import { type Measurement, measure } from '../measure/measure.ts';
import { arrivalOf, objectiveOf, stageOf } from '../workload/plan.test-support.ts';
import { buildResult, type ResultParts } from './files/build-result.ts';
import type { ReportInput } from './sections/report-sections.ts';

/** What a gateway may call a model: every character that some format takes for its own. */
export const HOSTILE_MODEL = "=cmd|'/c x'!\"</script><script>alert(1)</script>`*_[x](y)\\\u2028";

export function finding(changes: Partial<Finding> = {}): Finding {
  return findingOf({ model: HOSTILE_MODEL, ...changes });
}

const CALL: JudgedCall = judgedCallOf({ model: HOSTILE_MODEL });

export function reconciliation(findings: readonly Finding[] = []): Reconciliation {
  const clean = findings.length === 0;
  return reconciliationOf({
    money: moneyOf({
      expected: '1.2345678',
      charged: clean ? '1.2345678' : '1.2470678',
      pending: null,
      difference: clean ? '0' : '0.0125',
      certain_over: clean ? '0' : '0.0125',
      records: 42,
    }),
    coverage: coverageOf({
      to_the_digit: clean ? 1 : 0.98994,
      within_bounds: clean ? 0 : 0.01006,
      not_checkable: 0,
      provisional: 0,
      charges: { matched: clean ? 42 : 41, of: 42 },
      prices: { published: 3, declared: 0, inferred: 0 },
      settings: [
        shownSetting({
          name: 'amount_meaning',
          value: 'net',
          evidence: '42 of 42 records fit',
          basis: 'records',
          example: 'record:rec-1',
          changes: '0',
        }),
      ],
    }),
    findings,
    groups: findings.map(({ class: name, severity, delta_exact }) => ({
      class: name,
      severity,
      count: 1,
      provisional: 0,
      delta: delta_exact,
      gates: severity !== 'S4',
      gating: severity === 'S4' ? 0 : 1,
      rows: 1,
      causes: 1,
    })),
    completeness: completenessOf({
      pages: 2,
      records: 42,
      totals_records: 42,
      reads: 4,
      last_read_at: '2026-11-20T10:01:00.000Z',
    }),
    calls: [CALL],
    gated: findings.some(({ severity }) => severity !== 'S4'),
  });
}

/** Two trial calls with their records among the calls; a third left none. */
export function withTrial(): Reconciliation {
  const parts = reconciliation();
  const trial = (name: string, record_ids: readonly string[]): JudgedCall => ({
    ...CALL,
    call_id: `trial/${name}/0/1`,
    record_ids,
  });
  return {
    ...parts,
    calls: [...parts.calls, trial('chat', ['t1']), trial('image', ['t2']), trial('video', [])],
  };
}

/** A minute of calls of each kind; chat streams and fails now and then, with `message`. */
export function measurementOf(
  kinds: readonly PaidKind[],
  message: string | null = null,
  plan = planWith(kinds),
): Measurement {
  const rows = kinds.flatMap((kind, kindIndex) =>
    Array.from({ length: 20 }, (_, index) => {
      const at = index * 500 + kindIndex * 13;
      const common = {
        call_id: `${kind}${index}`,
        logical_id: `${kind}${index}`,
        scenario: kind,
        kind,
        iteration: index,
      };
      if (kind === 'chat' && index % 9 === 8)
        return failedRow(at, { ...common, end_ms: 30, error_message: message });
      const stream = kind === 'chat';
      const ttft_ms = stream ? 80 + ((index * 37) % 60) : null;
      return callRow(at, {
        ...common,
        stream,
        ttft_ms,
        ttfo_ms: ttft_ms,
        end_ms: 400 + ((index * 53) % 300),
      });
    }),
  );
  const state = stateLine({ planned: 20, started: 20 });
  const [scenario] = state.scenarios;
  const scenarios = scenario === undefined ? [] : kinds.map((kind) => ({ ...scenario, scenario: kind }));
  return measure({ plan, rows, states: [{ ...state, scenarios }], window: null, cores: 2, costs: null });
}

export function planWith(kinds: readonly PaidKind[]): ReturnType<typeof planOf> {
  return planOf(
    kinds.map((kind) =>
      scenarioPlan({
        name: kind,
        kind,
        model: HOSTILE_MODEL,
        arrival: arrivalOf({ stages: [stageOf(10_000, 2000)] }),
      }),
    ),
    [objectiveOf({ scenario: kinds[0] ?? 'chat', max: 0.2 })],
  );
}

export function reportInput(changes: Partial<ResultParts> = {}): ReportInput {
  const parts: ResultParts = {
    plan: planWith(['chat', 'image']),
    period: null,
    measurement: measurementOf(['chat', 'image']),
    reconciliation: reconciliation(),
    capacity: null,
    stopped: [],
    tool: { weighbridge: '0.1.0', k6: 'v2.2.0' },
    exits: [],
    ...changes,
  };
  const { plan, period, measurement } = parts;
  return { result: buildResult(parts), plan, period, measurement, reconciliation: parts.reconciliation };
}

/** A run on a target that has no bill; with `message` what the server said to calls that failed. */
export function withoutBill(kinds: readonly PaidKind[], changes: Partial<ResultParts> = {}): ReportInput {
  const planned = planWith(kinds);
  const plan = { ...planned, target: { ...planned.target, embedded: false, bill: 'none' as const } };
  const measurement = measurementOf(kinds, 'slow down', plan);
  return reportInput({ plan, measurement, reconciliation: null, ...changes });
}
