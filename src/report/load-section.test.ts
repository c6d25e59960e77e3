import { expect, it } from 'vitest';
import type { FailureGroup } from '../core/result.ts';
import { loadSections } from './load-section.ts';
import { measurementOf } from './report.test-support.ts';

it('says how many failed beyond the groups in the table', () => {
  const { load } = measurementOf(['chat']);
  const failures = Array.from({ length: 10 }, (_, code): FailureGroup => {
    return { outcome: 'http_error', status: 400, error_code: `code_${code}`, message: null, count: 1 };
  });
  const textOf = (http_error: number): string => {
    const scenarios = load.scenarios.map((each) => ({ ...each, failures, outcomes: { ok: 1, http_error } }));
    return JSON.stringify(loadSections({ ...load, scenarios }));
  };
  expect(textOf(3405)).toContain('beyond the largest groups: chat 3395.');
  expect(textOf(10)).not.toContain('beyond the largest groups');
});
