import { describe, expect, test } from 'vitest';
import { readOptions, SUITES, wantedPeers } from './bench-options.ts';

describe('wantedPeers', () => {
  test.each([
    [[], { vegeta: true, locust: true, aiperf: false }],
    [['--clients', 'floor,ours'], { vegeta: false, locust: false, aiperf: false }],
    [['--clients', 'Locust'], { vegeta: false, locust: true, aiperf: false }],
    [['--only', 'rate'], { vegeta: true, locust: false, aiperf: false }],
    [['--peers', 'none'], { vegeta: false, locust: false, aiperf: false }],
    [['--peers', 'aiperf'], { vegeta: true, locust: true, aiperf: true }],
    [['--profile'], { vegeta: false, locust: false, aiperf: false }],
  ])('%j', (args, wanted) => expect(wantedPeers(readOptions(args))).toEqual(wanted));
});

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
