import { CLIENT_LIMITS, MOST_SKEW_SHARE } from '../../contracts/client-limits.ts';
import type { EngineResult } from '../../contracts/engine-result.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { ClientVerdict, Result } from '../../contracts/result.ts';
import { ABSENT, ms, percent, periodText } from '../words/figure-text.ts';
import { clientWords } from '../words/verdict-words.ts';
import { type Block, type Section, table, text } from './report-document.ts';

/** What the verdict rests on: what was read, whether the client kept up, what was left out, why this exit code. */
export function evidenceSection(result: Result): Section {
  const blocks: Block[] = [text(`Client: ${clientWords(result.client)}.`)];
  if (result.client !== null) blocks.push(clientTable(result.client));
  if (result.engines !== undefined) blocks.push(engineTable(result.engines));
  const { completeness } = result;
  if (completeness !== null) {
    blocks.push(
      table(
        ['read from the target', '#value'],
        [
          ['complete', completeness.complete ? 'yes' : 'no'],
          ['pages', String(completeness.pages)],
          ['records', String(completeness.records)],
          [
            'records by the totals',
            completeness.totals_records === null ? ABSENT : String(completeness.totals_records),
          ],
          ['reads', String(completeness.reads)],
          ['last read', completeness.last_read_at ?? ABSENT],
          ['calls still open', String(completeness.open_calls)],
        ],
      ),
    );
    if (completeness.reasons.length > 0) blocks.push({ type: 'list', items: completeness.reasons });
  }
  if (result.stopped.length > 0) {
    blocks.push(
      text(
        result.bill === 'none'
          ? 'Scenarios without load'
          : 'Scenarios without load, because a trial call could not be linked or priced',
      ),
      table(
        ['scenario', 'kind', 'model', 'reason'],
        result.stopped.map(({ scenario, kind, model, reason }) => [scenario, kind, model, reason]),
      ),
    );
  }
  const exits = result.exit_codes.map(({ code, why }) => `exit ${code}: ${why}`);
  blocks.push(exits.length === 0 ? text('Exit 0: nothing failed.') : { type: 'list', items: exits });
  return { id: 'rests-on', title: 'What the verdict rests on', blocks };
}

function clientTable(client: ClientVerdict): Block {
  const megabytes = client.rss_max_bytes === null ? ABSENT : `${Math.round(client.rss_max_bytes / 1e6)} MB`;
  const files = client.open_files_max === null ? ABSENT : String(client.open_files_max);
  return table(
    ['of the client', '#value'],
    [
      ['schedule lag p99, ms', ms(client.schedule_lag_p99_ms)],
      ['timer lag p99, ms', ms(client.timer_lag_p99_ms)],
      ['wait for a processor p99, ms', ms(client.run_queue_p99_ms)],
      [`CPU p95, of ${client.cores} cores`, cores(client.cpu_p95)],
      ['CPU at most', cores(client.cpu_max)],
      ['time in pauses of the garbage collector', percent(client.gc_share)],
      ['memory at most', megabytes],
      [`open files at most, of ${client.open_files_limit ?? ABSENT}`, files],
      ['ledger rows lost', String(client.rows_lost)],
      ['starts dropped by the client’s own fault', String(client.dropped_by_client)],
      ...(client.rps_limit === null
        ? []
        : [['http.rps, of the planned peak', `${client.rps_limit.rps}/s of ${client.rps_limit.planned}/s`]]),
    ],
  );
}

/** A run of several k6 is as good as the worst of them. */
function engineTable(engines: readonly EngineResult[]): Block {
  return table(
    [
      'load engine',
      'segment',
      '#cores',
      '#began after, ms',
      '#planned',
      '#started',
      '#schedule lag p99, ms',
      '#CPU at most',
      '#rows lost',
      'end',
    ],
    engines.map((engine) => [
      engine.instance,
      engine.segment ?? ABSENT,
      engine.cores === null ? ABSENT : String(engine.cores),
      ms(engine.skew_ms),
      String(engine.planned),
      String(engine.started),
      ms(engine.schedule_lag_p99_ms),
      cores(engine.cpu_max),
      String(engine.rows_lost),
      engine.halted ?? (engine.closed ? 'as planned' : 'not closed'),
    ]),
  );
}

function cores(value: number | null): string {
  return value === null ? ABSENT : value.toFixed(2);
}

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

/** Of a run on a target without a bill. */
const PLAIN_TERMS: readonly Term[] = [
  ...LOAD_TERMS.filter(([term]) => !term.startsWith('USD')),
  [
    'output tokens/s',
    'output tokens of calls that are ok ÷ seconds from the first call sent to the last end; absent where a text answer does not tell its tokens',
  ],
  ['a stream', '1,000 ÷ the median TPOT: tokens per second that one stream brings after its first'],
];

/** Of a run that several load engines made. */
const SKEW_TERM: Term = [
  'start skew',
  `beginning of the first load engine → beginning of the last, by their own clocks; above ${MOST_SKEW_SHARE * 100} % of the time of starts the client is limited`,
];

function limitWords(): string {
  return CLIENT_LIMITS.map(({ limit }) => limit).join('; ');
}

/** The words of a report; those of load only where something was driven. */
export function definitionsSection({
  load,
  bill,
  engines,
}: Pick<Result, 'load' | 'bill' | 'engines'>): Section {
  const terms = load === null ? BILL_TERMS : bill === 'none' ? PLAIN_TERMS : [...LOAD_TERMS, ...BILL_TERMS];
  return {
    id: 'definitions',
    title: 'Definitions',
    blocks: [
      ...(load === null ? [] : [text('All times are the client’s, on one monotonic clock.')]),
      table(['term', 'meaning'], engines === undefined ? terms : [...terms, SKEW_TERM]),
    ],
  };
}

/** A price book that the bill was judged by. */
export interface UsedBook {
  readonly sha256: string;
  /** Null where its bytes do not tell. */
  readonly id: string | null;
  readonly version: string | null;
}

const MOST_KEYS = 8;
const MOST_BOOKS = 8;

/** Whose bill of which time was judged, and by which prices. */
export function summarySection(
  result: Result,
  reconciliation: Reconciliation,
  keys: readonly string[],
  books: readonly UsedBook[],
): Section {
  const { money } = reconciliation;
  const facts: readonly (readonly [string, string])[] = [
    ['period', result.period === null ? ABSENT : periodText(result.period)],
    ['target', result.target],
    ...(keys.length === 0 ? [] : [['keys (fingerprints)', listed(keys, MOST_KEYS)] as const]),
    ['records judged', String(money.records)],
  ];
  const blocks: Block[] = [table(['what', 'value'], facts)];
  if (books.length > 0) {
    const shown = books.slice(0, MOST_BOOKS);
    const more = books.length - shown.length;
    blocks.push(
      table(
        ['price book', 'version', 'SHA-256'],
        [
          ...shown.map(({ id, version, sha256 }) => [id ?? ABSENT, version ?? ABSENT, sha256]),
          ...(more > 0 ? [[`and ${more} more`, '', '']] : []),
        ],
      ),
    );
  }
  return { id: 'summary', title: 'What was judged', blocks };
}

/** Fingerprints of the keys whose bill was judged. */
export function keysOf({ calls }: Reconciliation, told: readonly string[]): readonly string[] {
  const seen = calls.flatMap(({ row }) => (row === null || row.key_fp === null ? [] : [row.key_fp]));
  return [...new Set([...told, ...seen])].sort();
}

function listed(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most).join(', ');
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown;
}
