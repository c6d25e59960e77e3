import type { LoadResult } from '../../contracts/load-result.ts';
import type { ClientVerdict, Result } from '../../contracts/result.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, ms, percent, periodText, rateText, signedUsd, usd, usdAbout } from '../words/figure-text.ts';
import { objectiveWords } from '../words/objective-words.ts';
import {
  checkedWords,
  guessLines,
  headline,
  roundingWords,
  trafficWords,
  type VerdictTone,
} from '../words/verdict-words.ts';
import type { ReportedClaims } from './report-sections.ts';
import { undecidedRows } from './undecided-section.ts';

type Fact = readonly [term: string, value: string];

/** One of the answers of the first screen: a sentence, and the figures behind it. */
export interface Card {
  readonly id: 'answer' | 'driven' | 'health';
  /** Whose question it answers, in a word or two. */
  readonly label: string;
  readonly tone: VerdictTone;
  readonly text: string;
  readonly facts: readonly Fact[];
  /** What can be sent as it is; only the answer has one. */
  readonly letter: string | null;
}

/** What a reader sees first: the answer, the load, and whether the measurement counts. */
export function cardsOf(result: Result, claims: ReportedClaims | null): readonly Card[] {
  return [
    answerCard(result, claims),
    ...(result.load === null ? [] : [loadCard(result, result.load)]),
    ...(result.client === null && result.completeness === null ? [] : [healthCard(result)]),
  ];
}

function answerCard(result: Result, claims: ReportedClaims | null): Card {
  const { tone, text } = headline(result);
  const { load, bill } = result;
  const open = undecidedRows(result).length;
  const rounding = roundingWords(result);
  return {
    id: 'answer',
    label: bill === 'none' ? 'Answer' : 'The bill',
    tone,
    text,
    facts: [
      ...(claims === null ? [] : claimFacts(claims)),
      ...moneyFacts(result),
      ...(load === null || bill === 'none' ? [] : perGoodFact(load)),
      ...(open === 0 ? [] : [['Open questions', `${open}, listed under Evidence`] as const]),
      ...guessLines(result).map((words): Fact => ['Assumption', words]),
      ...(rounding === null ? [] : [['Price list', rounding] as const]),
      ...trafficWords(result),
      ['Target', result.target],
      ...(result.period === null ? [] : [['Period', periodText(result.period)] as const]),
    ],
    letter: claims?.letter ?? null,
  };
}

function moneyFacts({ money, coverage }: Result): readonly Fact[] {
  if (money === null) return [];
  return [
    ['Charged', usd(money.charged)],
    ['Expected', usd(money.expected)],
    ['Difference', signedUsd(money.difference)],
    ...(/[1-9]/.test(money.open ?? '') ? [['Undecided', `${usd(money.open)} of the charges`] as const] : []),
    ['Coverage', checkedWords(coverage)],
  ];
}

function claimFacts({ now, later }: ReportedClaims): readonly Fact[] {
  return [
    ...(now === null ? [] : [['To raise now', usd(now)] as const]),
    ...(later === null
      ? []
      : [
          [
            'To raise later',
            `${later.usd}${later.from === null ? ', once it is settled' : ` from ${later.from}`}`,
          ] as const,
        ]),
  ];
}

function perGoodFact({ total }: LoadResult): readonly Fact[] {
  const { usd_per_1000_good: cost, usd_per_1000_good_at_most: atMost } = total;
  return cost === null ? [] : [['1,000 good calls cost', `${atMost ? '≤ ' : ''}${usdAbout(cost, atMost)}`]];
}

function loadCard(result: Result, load: LoadResult): Card {
  const { total } = load;
  const sent = Object.values(total.outcomes).reduce((sum, count) => sum + count, 0);
  const objectives = objectiveWords(result) ?? [];
  const missed = objectives.some((words) => !words.startsWith('✓'));
  const whole = total.ok === sent && total.dropped === 0 && total.held === 0;
  return {
    id: 'driven',
    label: 'The load',
    tone: sent > 0 && total.ok === 0 ? 'bad' : whole && !missed && sent > 0 ? 'good' : 'warning',
    text: `${total.ok} of ${plural(sent, 'call')} succeeded.`,
    facts: [
      ['Starts', startWords(total)],
      ...timeFacts(load),
      ['Good calls', `${percent(total.attainment)}, ${rateText(total.goodput)}/s`],
      ...throughputFact(result, load),
      ...objectives.map((words): Fact => ['Objective', words]),
    ],
    letter: null,
  };
}

function startWords({
  planned,
  started,
  dropped,
  held,
  achieved_rate,
  asked_rate,
}: LoadResult['total']): string {
  const asked = asked_rate === null ? '' : ` of ${rateText(asked_rate)}/s planned`;
  return [
    `${started} of ${planned} planned`,
    `${rateText(achieved_rate)}/s${asked}`,
    ...(dropped === 0 ? [] : [`${dropped} dropped`]),
    ...(held === 0 ? [] : [`${held} held back`]),
  ].join(', ');
}

/** Total times of different kinds make no common percentile: with several kinds the table under Load has them. */
function timeFacts({ kinds, total }: LoadResult): readonly Fact[] {
  const times = [
    ['TTFT', total.latency.ttft],
    ['ITL', total.latency.itl],
    ['e2e', kinds.length === 1 ? total.latency.e2e : null],
  ] as const;
  return times.flatMap(([name, table]) =>
    table === null ? [] : [[name, `p50 ${ms(table.p50)} ms, p95 ${ms(table.p95)} ms`] as const],
  );
}

function throughputFact({ bill }: Result, { total }: LoadResult): readonly Fact[] {
  if (bill !== 'none') return [];
  const { output_tokens = null, per_stream = null } = total.throughput ?? {};
  return [['Output tokens/s', `${rateText(output_tokens)}, ${rateText(per_stream)} a stream`]];
}

function healthCard({ client, completeness, engines }: Result): Card {
  const busy = client?.verdict === 'client_limited';
  const partial = completeness !== null && !completeness.complete;
  return {
    id: 'health',
    label: 'The measurement',
    tone: busy || partial ? 'warning' : 'good',
    text: healthWords(client, busy, partial),
    facts: [
      ...(client === null ? [] : clientFacts(client)),
      ...(engines === undefined ? [] : [['Load engines', String(engines.length)] as const]),
      ...(completeness === null ? [] : recordFacts(completeness)),
    ],
    letter: null,
  };
}

function recordFacts({
  records,
  pages,
  open_calls,
  reasons,
}: NonNullable<Result['completeness']>): readonly Fact[] {
  return [
    ['Usage records', `${records} in ${plural(pages, 'page')}`],
    ...(open_calls === 0 ? [] : [['Calls not settled', String(open_calls)] as const]),
    ...reasons.map((why): Fact => ['Incomplete', why]),
  ];
}

function healthWords(client: ClientVerdict | null, busy: boolean, partial: boolean): string {
  const times =
    client === null
      ? []
      : [
          busy
            ? 'Your machine was too busy. Ignore the latencies.'
            : 'Your machine kept up. The latencies count.',
        ];
  const records = partial
    ? ['Not all usage records could be read.']
    : client === null
      ? ['All usage records were read.']
      : [];
  return [...times, ...records].join(' ');
}

function clientFacts(client: ClientVerdict): readonly Fact[] {
  const { schedule_lag_p99_ms: lag, cpu_max, cores, rows_lost, rps_limit, start_skew_ms: skew } = client;
  return [
    ...client.reasons.map((why): Fact => ['Limit passed', why]),
    ['Schedule lag p99', lag === null ? ABSENT : `${ms(lag)} ms`],
    ['CPU at most', cpu_max === null ? ABSENT : `${cpu_max.toFixed(2)} of ${plural(cores, 'core')}`],
    ['Ledger rows lost', String(rows_lost)],
    ...(skew == null ? [] : [['Start skew', `${ms(skew)} ms`] as const]),
    ...(rps_limit === null
      ? []
      : [['Starts waited', `http.rps ${rps_limit.rps}/s, planned peak ${rps_limit.planned}/s`] as const]),
  ];
}
