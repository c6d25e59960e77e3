import { describe, expect, test } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { readPageQuery, readUsageQuery } from './usage-query.ts';

const DAY = 86_400;
const NOW = 1_800_000_000;

function refusal(query: Record<string, unknown>): string | null {
  try {
    readUsageQuery(query, NOW);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message;
    throw error;
  }
  return null;
}

describe('window', () => {
  test('default: 30 days up to now', () => {
    expect(readUsageQuery({}, NOW)).toEqual({
      start: NOW - 30 * DAY,
      end: NOW,
      window: { start: BigInt(NOW - 30 * DAY), end: BigInt(NOW) },
      model: null,
      requestId: null,
    });
  });

  test('with an end only, it starts 30 days before that end, never below 1', () => {
    expect(readUsageQuery({ end_time: '5000000' }, NOW)).toMatchObject({
      start: 5_000_000 - 30 * DAY,
      end: 5_000_000,
    });
    expect(readUsageQuery({ end_time: '100' }, NOW)).toMatchObject({ start: 1, end: 100 });
  });

  test('31 days are served and one second more is not', () => {
    const start = NOW - 31 * DAY;
    expect(readUsageQuery({ start_time: String(start) }, NOW)).toMatchObject({ start, end: NOW });
    expect(refusal({ start_time: String(start - 1) })).toContain('31 days');
  });

  test('end must be after start', () => {
    expect(refusal({ start_time: '100', end_time: '100' })).toContain('end_time');
    expect(refusal({ start_time: '100', end_time: '99' })).toContain('end_time');
  });

  test.each(['0', '-1', 'abc', '1.5', '', '1e3', ' 1', '9223372036854775808', '99999999999999999999'])(
    'start_time %j is refused',
    (start_time) => {
      expect(refusal({ start_time })).toContain("'start_time'");
    },
  );

  test('windows at the end of the int64 range are told apart to the second', () => {
    const end = 2n ** 63n - 1n;
    const windowOf = (start: bigint) =>
      readUsageQuery({ start_time: String(start), end_time: String(end) }, NOW).window;
    expect(windowOf(end - 1n)).toEqual({ start: end - 1n, end });
    expect(windowOf(end - BigInt(31 * DAY))).toEqual({ start: end - BigInt(31 * DAY), end });
    const query = { start_time: String(end - BigInt(31 * DAY) - 1n), end_time: String(end) };
    expect(refusal(query)).toContain('31 days');
    expect(refusal({ start_time: String(end), end_time: String(end) })).toContain('end_time');
    expect(refusal({ start_time: '1', end_time: String(end) })).toContain('31 days');
  });

  test('a parameter given twice is refused', () => {
    expect(refusal({ end_time: ['1', '2'] })).toContain("'end_time'");
    expect(refusal({ model: ['a', 'b'] })).toContain("'model'");
  });
});

describe('filters', () => {
  test('model: 191 characters pass and 192 do not, counted as characters', () => {
    const astral = '𝒳';
    expect(readUsageQuery({ model: astral.repeat(191) }, NOW).model).toBe(astral.repeat(191));
    expect(refusal({ model: 'm'.repeat(192) })).toContain("'model'");
  });

  test('request_id: 64 characters pass and 65 do not', () => {
    expect(readUsageQuery({ request_id: 'r'.repeat(64) }, NOW).requestId).toBe('r'.repeat(64));
    expect(refusal({ request_id: 'r'.repeat(65) })).toContain("'request_id'");
  });
});

describe('limit', () => {
  test('default 50, from 1 to 200', () => {
    expect(readPageQuery({}).limit).toBe(50);
    expect(readPageQuery({ limit: '1' }).limit).toBe(1);
    expect(readPageQuery({ limit: '200' }).limit).toBe(200);
  });

  test.each(['0', '201', '-1', 'ten', '', '1.5'])('%j is refused', (limit) => {
    expect(() => readPageQuery({ limit })).toThrow("'limit'");
  });
});
