import { expect, test } from 'vitest';
import { type AcceptedCause, causeOf } from '../../contracts/acceptance.ts';
import { findingOf } from '../../contracts/reconciliation.test-support.ts';
import { DEFAULT_TOLERANCES } from '../input/reconcile-input.ts';
import { acceptedFindings } from './accepted-findings.ts';
import { findingGroups } from './finding-groups.ts';

const READ = Date.parse('2026-11-20T12:00:00.000Z');
const finding = findingOf();
const entry: AcceptedCause = {
  cause: finding.class,
  up_to_usd: '0.0125',
  until: '2026-11-21',
  by: 'Ada',
  why: 'known',
};

function judged(changes: Partial<AcceptedCause>, findings = [finding], readMs: number | null = READ) {
  const tolerances = { ...DEFAULT_TOLERANCES, accept: [{ ...entry, ...changes }] };
  const { accepted, ids } = acceptedFindings(findings, tolerances, readMs);
  const gating = findingGroups(findings, tolerances, ids).reduce((sum, group) => sum + group.gating, 0);
  return { state: accepted[0]?.state, usd: accepted[0]?.usd, findings: accepted[0]?.findings, gating };
}

test('what is accepted does not gate: by class, by class and rule, or by the id of its claim', () => {
  const held = { state: 'holds', usd: '0.0125', findings: 1, gating: 0 };
  expect(judged({})).toEqual(held);
  expect(judged({ cause: `${finding.class}:${finding.rule}` })).toEqual(held);
  expect(judged({ cause: causeOf(finding) })).toEqual(held);
  expect(judged({ cause: `${finding.class}:another` })).toEqual({
    ...held,
    usd: '0',
    findings: 0,
    gating: 1,
  });
});

test('beyond its sum, and where the sum is not known, all of it gates again', () => {
  expect(judged({}, [finding, findingOf({ id: 'f2' })])).toMatchObject({ state: 'exceeded', gating: 2 });
  expect(judged({ up_to_usd: '0.0124' })).toMatchObject({ state: 'exceeded', gating: 1 });
  const unknown = findingOf({ delta_exact: null, delta_max: null });
  expect(judged({ up_to_usd: '9' }, [unknown])).toMatchObject({ state: 'exceeded', usd: null, gating: 1 });
});

test('from its end on, by the last read, it gates again; so it does where nothing was read', () => {
  expect(judged({ until: '2026-11-20T12:00:00Z' })).toMatchObject({ state: 'expired', gating: 1 });
  expect(judged({ until: '2026-11-20T12:00:01Z' })).toMatchObject({ state: 'holds', gating: 0 });
  expect(judged({}, [finding], null)).toMatchObject({ state: 'expired', gating: 1 });
});
