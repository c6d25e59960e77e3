import { CLIENT_LIMITS } from '../../contracts/client-limits.ts';
import type { Result } from '../../contracts/result.ts';
import { type Section, table, text } from './report-document.ts';

type Term = readonly [term: string, meaning: string];

const LOAD_TERMS: readonly Term[] = [
  ['planned', 'starts that the schedule asked for'],
  ['dropped', 'planned starts that did not happen because too many calls were in flight'],
  ['held', 'starts not made because the target asked to wait (Retry-After), or a cap or a halt stopped them'],
  ['ok', 'calls with their format’s own complete ending; a fallback counts once with its last attempt'],
  [
    'calls',
    'those that were sent, however often each; a start of a session, or of a script of your own, can make several',
  ],
  [
    'starts/s, asked/s',
    'started ÷ the seconds in which the starts were made; asked: planned ÷ the seconds for which the schedule plans them; equal where every start is made in time',
  ],
  [
    'TTFT',
    'first attempt sent → first event with non-empty generated content of any channel; streamed calls only',
  ],
  ['TTFO', 'request sent → first visible text; streamed calls only'],
  ['TPOT', '(end − TTFT) ÷ (output tokens − 1); absent for one token or none'],
  [
    'ITL',
    'gap between two content events, pooled over calls. Max is exact; mean too, where the end came with the last content. Rows hold the gaps in buckets of 4.4 %: min and percentiles lie in them as if each were filled evenly',
  ],
  ['e2e', 'request sent → end of the answer, or of the job with its result'],
  ['e2e from plan', 'planned start → end: e2e + schedule lag'],
  ['schedule lag', 'actual start − planned start'],
  [
    'goodput, good calls/s',
    'calls that are ok and meet every objective of their scenario ÷ seconds in which calls were started',
  ],
  ['attainment', 'those calls ÷ calls sent, without calls that we ended ourselves (aborted, interrupted)'],
  [
    'p50 … p99.9',
    'linear interpolation between ranks (numpy’s default); p99.9 from 1,000 values up. Those of objectives: the smallest time that so many per cent of the calls do not pass',
  ],
  [
    'USD per 1,000 good',
    'what all calls cost, failed ones and further attempts too ÷ good calls × 1,000; charged, or expected where not charged yet; ≤ where the charge of a call is still open',
  ],
  ['tokens per event', 'output tokens ÷ content events: how many tokens one ITL is the time of'],
  ['stall', 'gap above 10 × the median gap of its stream, the median taken as 1 ms at least'],
  ['burst', 'a stream of several content events, none of them 1 ms after the one before'],
  ['client_limited', `the client passed one of its limits: ${limitWords()}`],
];

const BILL_TERMS: readonly Term[] = [
  ['to the digit', 'the charge equals the price book’s sum, rounded once by its rule, in every digit'],
  ['within bounds', 'the evidence gives an interval and the charge lies in it'],
  ['provisional', 'the deadline for settling has not passed: it may still change and does not gate'],
];

function limitWords(): string {
  return CLIENT_LIMITS.map(({ limit }) => limit).join('; ');
}

/** The words of a report; those of load only where something was driven. */
export function definitionsSection({ load }: Pick<Result, 'load'>): Section {
  return {
    id: 'definitions',
    title: 'Definitions',
    blocks: [
      ...(load === null ? [] : [text('All times are the client’s, on one monotonic clock.')]),
      table(['term', 'meaning'], load === null ? BILL_TERMS : [...LOAD_TERMS, ...BILL_TERMS]),
    ],
  };
}
