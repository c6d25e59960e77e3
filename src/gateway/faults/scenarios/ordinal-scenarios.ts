import type { Scenario } from './scenario.ts';

/** Courses of events that tests of clients ask for: the same at each start. */
export const ORDINAL_SCENARIOS: readonly Scenario[] = [
  {
    name: 'two-429-then-success',
    what_happened: 'The first two paid calls are told to wait a second; all later ones succeed.',
    source: null,
    faults: [
      {
        fault: 'http.429_retry_after_s',
        select: { paid: true },
        when: { first: 2 },
        parameters: { seconds: 1 },
      },
    ],
  },
  {
    name: '524-after-full-charge',
    what_happened:
      'The first paid call is carried out and charged whole, but the client gets the HTML page of a timeout; a client that sends it again pays twice.',
    source: null,
    faults: [
      {
        fault: 'http.524_html',
        select: { paid: true },
        when: { first: 1 },
        parameters: { charge: 'charged' },
      },
    ],
  },
];
