const STREAMS = { stream: true };
/** One entry that decides which calls go wrong; what goes wrong with their bill then is always on. */
const EACH_FIFTH = { every: 5 };
const ALWAYS = { probability: 1 };

function issueOfFamily(number: number): string {
  return `public issue ${number} of a gateway of this family`;
}

/** Bills of calls that did not end as they should, as gateways really wrote them. */
const BILLING_SCENARIOS: readonly Scenario[] = [
  {
    name: 'aborted-but-billed-as-output',
    what_happened:
      'A stream is cut, and its output is counted by the gateway itself, far above what was delivered: the record is an estimate, and too high.',
    source: issueOfFamily(5288),
    faults: [
      { fault: 'net.fin_mid', select: STREAMS, when: EACH_FIFTH, parameters: { after_events: 6 } },
      {
        fault: 'bill.estimated_high',
        select: STREAMS,
        when: ALWAYS,
        parameters: { variant: 'cut', percent: 400 },
      },
    ],
  },
  {
    name: 'aborted-billed-zero',
    what_happened: 'A stream is cut after output, and nothing at all is charged for what was delivered.',
    source: issueOfFamily(7062),
    faults: [
      { fault: 'net.fin_mid', select: STREAMS, when: EACH_FIFTH, parameters: { after_events: 6 } },
      { fault: 'bill.zero_on_abort', select: STREAMS, when: ALWAYS },
    ],
  },
  {
    name: 'eof-and-second-charge',
    what_happened:
      'A stream ends early without its terminator and looks whole to most clients; the gateway tries again on its own side, and both tries are charged.',
    source: issueOfFamily(7486),
    faults: [
      { fault: 'net.eof_clean', select: STREAMS, when: EACH_FIFTH, parameters: { after_events: 6 } },
      { fault: 'bill.retry_charge', select: STREAMS, when: EACH_FIFTH },
    ],
  },
  {
    name: 'double-refund',
    what_happened: 'A task fails, and each process that learns of it gives its reserve back once more.',
    source: issueOfFamily(5556),
    faults: [
      { fault: 'sem.task_failed_200', when: { every: 2 } },
      { fault: 'bill.double_refund', when: ALWAYS },
    ],
  },
  {
    name: 'prompt-billed-without-reply',
    what_happened: 'A stream ends before any output, and its prompt is charged all the same.',
    source: issueOfFamily(4168),
    faults: [
      { fault: 'net.eof_clean', select: STREAMS, when: EACH_FIFTH, parameters: { after_events: 0 } },
      { fault: 'bill.charge_prompt_only_on_abort', select: STREAMS, when: ALWAYS },
    ],
  },
  {
    name: 'stream-error-recorded-completed',
    what_happened:
      'A stream ends by an error event under status 200, and its record says that it was completed.',
    source: 'public change request 536 of another gateway',
    faults: [
      { fault: 'sem.error_in_stream', select: STREAMS, when: EACH_FIFTH, parameters: { after_events: 6 } },
      { fault: 'bill.incomplete_as_completed', select: STREAMS, when: ALWAYS },
    ],
  },
];

/** Courses of events that tests of clients ask for: the same at each start. */
const ORDINAL_SCENARIOS: readonly Scenario[] = [
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

/** Fault plans with a name; a further one is an entry in one of these lists. */
export const SCENARIOS: readonly Scenario[] = [...BILLING_SCENARIOS, ...ORDINAL_SCENARIOS];

/** A bug that a gateway really had, or a course of events that tests ask for, as a fault plan with a name. */
interface Scenario {
  /** Kebab case; plans and `--faults scenario:NAME` use it. */
  readonly name: string;
  readonly what_happened: string;
  /** Where it is told; null for what tests ask for. */
  readonly source: string | null;
  /** Entries as a plan writes them; parsed by its schema. */
  readonly faults: readonly {
    readonly fault: string;
    readonly select?: Readonly<Record<string, string | boolean>>;
    readonly when: Readonly<Record<string, number>>;
    readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  }[];
}
