import { expect, test } from 'vitest';
import { DEFAULT_PLAN_FILE, loadConfig } from './load-config.ts';

function load(flags: Parameters<typeof loadConfig>[0]['flags']) {
  return loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags });
}

test('a permission of the command line allows what the same line plans', () => {
  const { target, origins } = load({ permission: 'ops: Ada:2026-12-31' });
  expect(target.permission).toEqual({
    by: 'ops: Ada',
    until: '2026-12-31',
    max_rps: null,
    max_in_flight: null,
  });
  expect(origins['target.permission']).toBe('flag');
});

test('a number of calls and a guess are kept as they were given', () => {
  expect(load({ maxCalls: '40', assumeUsdPerCall: '0.002' }).spend).toEqual({
    max_usd: null,
    max_calls: 40,
    assume_usd_per_call: '0.002',
  });
});

test.each([
  [{ permission: 'ops' }, /--permission: must be who allowed it and until when/],
  [{ permission: 'ops:2026-13-40' }, /--permission: must be a day/],
  [{ maxCalls: '0' }, /--max-calls: must be/],
  [{ assumeUsdPerCall: '1e-3' }, /--assume-usd-per-call: must be USD/],
])('names the flag that is wrong in %o', (flags, message) => {
  expect(() => load(flags)).toThrow(message);
});

test('a rate that a server of others bears keeps to the calls in flight that it bears', () => {
  const target = 'https://model.example';
  const inFlight = (flags: Parameters<typeof load>[0]) =>
    load({ target, ...flags }).traffic[0]?.max_in_flight;
  expect(inFlight({ rate: '2/s' })).toBe(5);
  expect(inFlight({ rate: '3/s' })).toBe(50);
  expect(inFlight({ rate: '2/s', permission: 'ops:2026-12-31' })).toBe(50);
  expect(inFlight({ rate: '2/s', target: 'http://127.0.0.1:9' })).toBe(50);
});
