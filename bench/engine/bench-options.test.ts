import { describe, expect, test } from 'vitest';
import { readOptions, SUITES } from './bench-options.ts';

describe('readOptions', () => {
  test('nothing asked is everything but AIPerf', () =>
    expect(readOptions([])).toMatchObject({
      quick: false,
      only: SUITES,
      aiperf: false,
      peers: true,
      reps: null,
    }));

  test('what is asked', () =>
    expect(
      readOptions([
        '--quick',
        '--only',
        'rate,plain',
        '--peers',
        'aiperf',
        '--levels',
        '500,1000',
        '--reps',
        '2',
      ]),
    ).toMatchObject({ quick: true, only: ['rate', 'plain'], aiperf: true, levels: [500, 1000], reps: 2 }));

  test.each([
    [['--only', 'speed'], /--only: expected one of streams/],
    [['--peers', 'hey'], /--peers: expected aiperf or none, found hey/],
    [['--reps', '0'], /--reps: expected a whole number above 0, found 0/],
  ])('%j is refused', (args, message) => expect(() => readOptions(args)).toThrow(message));
});
