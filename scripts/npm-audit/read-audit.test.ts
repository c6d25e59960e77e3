import { expect, test } from 'vitest';
import { readAudit } from './read-audit.ts';

const answer = (high: number, vulnerabilities: object = {}) =>
  JSON.stringify({
    vulnerabilities,
    metadata: { vulnerabilities: { info: 0, low: 0, moderate: 1, high, critical: 0, total: high + 1 } },
  });

test('an audit that found something high fails and names it', () => {
  const { lines, failed } = readAudit(answer(1, { left: { severity: 'high', range: '<1.2.3' } }), '');
  expect(failed).toBe(true);
  expect(lines).toEqual(['npm audit: 0 critical, 1 high, 1 moderate, 0 low', '  high: left <1.2.3']);
});

test('one that found less does not', () => {
  expect(readAudit(answer(0), '').failed).toBe(false);
});

test('one that the registry does not offer says that it was not run, and why', () => {
  const refused = JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 });
  expect(readAudit(refused, 'npm error')).toEqual({
    lines: ['npm audit: not run: 405 Method Not Allowed'],
    failed: false,
  });
  expect(readAudit('', '').lines).toEqual(['npm audit: not run: npm gave no answer']);
});
