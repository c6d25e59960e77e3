import { expect, test } from 'vitest';
import { ruleRounding } from './gateway-rules.ts';

test('a quantum with an exponent is read as the plain figure that it is', () => {
  const rounding = { scope: 'record', quantum: '1e-8', mode: 'half_up' } as const;
  expect(ruleRounding({ rounding })?.quantum).toBe('0.00000001');
  expect(ruleRounding({ rounding: { ...rounding, quantum: '0.01' } })?.quantum).toBe('0.01');
});
