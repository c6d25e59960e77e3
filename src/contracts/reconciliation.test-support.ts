import type { CompletenessResult, CoverageResult } from './coverage-result.ts';
import { FINDING_SCHEMA, type Finding } from './finding.ts';
import type { JudgedCall, Reconciliation } from './reconciliation.ts';
import type { MoneyResult } from './result-money.ts';

/** A finding over one call that paid $0.0125 too much. */
export function findingOf(changes: Partial<Finding> = {}): Finding {
  return {
    schema: FINDING_SCHEMA,
    id: 'f1',
    class: 'duplicate_charge',
    severity: 'S1',
    confidence: 'proved',
    warrant: { kind: 'document', of: 'the price book' },
    direction: 'over',
    delta_exact: '0.0125',
    delta_min: '0.0125',
    delta_max: '0.0125',
    evidence: ['request:r1', 'record:u1', 'record:u2'],
    request_id: 'r1',
    call_id: 'c1',
    model: 'm',
    rule: 'two_records_one_call',
    explanation: 'One call, two settled records.',
    next_step: 'Show both record ids to the provider.',
    provisional: false,
    deadline_at: null,
    bridge: 'settled',
    group: null,
    rows: 1,
    hypothesis: null,
    first_seen: null,
    ...changes,
  };
}

/** A chat call that was charged $0.0125 to the digit. */
export function judgedCallOf(changes: Partial<JudgedCall> = {}): JudgedCall {
  return {
    call_id: 'c1',
    kind: 'chat',
    model: 'm',
    request_id: 'r1',
    record_ids: ['u1'],
    match: 'request_id',
    score: 1,
    match_why: '',
    basis: 'client',
    grade: 'published',
    tier: null,
    started_at: null,
    outcome: 'ok',
    expected: '0.0125',
    expected_lo: '0.0125',
    expected_hi: '0.0125',
    charged: '0.0125',
    verdict: 'to_the_digit',
    lines: [],
    why: '',
    row: null,
    record: null,
    ...changes,
  };
}

/** Nothing expected and nothing charged. */
export function moneyOf(changes: Partial<MoneyResult> = {}): MoneyResult {
  return {
    expected: '0',
    charged: '0',
    charged_inexact: '0',
    refunded: '0',
    pending: '0',
    difference: '0',
    certain_over: '0',
    certain_under: '0',
    open: '0',
    records: 0,
    foreign: { records: 0, amount: '0' },
    aging: [],
    suspense: null,
    by_model: [],
    by_day: [],
    ...changes,
  };
}

/** Of a bill without a charge: no share exists. */
export function coverageOf(changes: Partial<CoverageResult> = {}): CoverageResult {
  return {
    to_the_digit: null,
    within_bounds: null,
    not_checkable: null,
    provisional: null,
    charges: null,
    prices: { published: 0, declared: 0, inferred: 0 },
    settings: [],
    basis: { client: null, record: null },
    consistent: null,
    not_checkable_why: [],
    untold: null,
    of_records: [],
    provisional_until: null,
    exercised: [],
    classes: [],
    ...changes,
  };
}

/** One page without a record, read to its end. */
export function completenessOf(changes: Partial<CompletenessResult> = {}): CompletenessResult {
  return {
    complete: true,
    pages: 1,
    records: 0,
    totals_records: 0,
    reads: 1,
    last_read_at: null,
    open_calls: 0,
    reasons: [],
    proved: true,
    leaves: [],
    hazards: [],
    ...changes,
  };
}

/** An empty bill, read to its end, without a finding. */
export function reconciliationOf(changes: Partial<Reconciliation> = {}): Reconciliation {
  return {
    money: moneyOf(),
    coverage: coverageOf(),
    findings: [],
    groups: [],
    completeness: completenessOf(),
    matching: [],
    suspense: null,
    calls: [],
    sums: [],
    wanted: [],
    accepted: [],
    gated: false,
    inconclusive: [],
    untold: [],
    ...changes,
  };
}
