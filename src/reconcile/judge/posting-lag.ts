import type { Finding } from '../../contracts/finding.ts';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import { parseInstant } from '../../core/time.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { deadlineMs, latenessWarrant } from './deadline.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/** How long records took to appear after their calls ended, between the last read without and the first with them. */
interface PostingLag {
  readonly pairs: number;
  /** Milliseconds: half of the records, and nearly all, were there after at most so long. */
  readonly p50_ms: number;
  readonly p999_ms: number;
}

interface Appearance {
  readonly match: CallMatch;
  readonly record: ServedRecord;
  /** After so long it was certainly not yet there; 0 where no complete sweep missed it. */
  readonly least_ms: number;
  readonly most_ms: number;
}

/** The lag of this target, from all of its records; null where no record was read. */
function postingLag(
  context: JudgeContext,
  reads: readonly ReadLine[],
  matches: readonly CallMatch[],
): PostingLag | null {
  const most = appearances(context, reads, matches)
    .map(({ most_ms }) => most_ms)
    .sort((left, right) => left - right);
  const at = (share: number): number =>
    most[Math.min(most.length - 1, Math.ceil(share * most.length) - 1)] ?? 0;
  return most.length === 0 ? null : { pairs: most.length, p50_ms: at(0.5), p999_ms: at(0.999) };
}

/** Records that a complete sweep past their deadline did not hold yet. */
export function judgePosting(
  context: JudgeContext,
  reads: readonly ReadLine[],
  matches: readonly CallMatch[],
): readonly Finding[] {
  const lag = postingLag(context, reads, matches);
  if (lag === null) return [];
  const late = appearances(context, reads, matches)
    // When a call ended that only its record tells of, nobody saw.
    .filter(({ match }) => !isRecordCall(match.call.call_id))
    .filter(({ match, least_ms }) => least_ms > deadlineMs(context, 'late_posting', match.call));
  const byModel = Map.groupBy(late, ({ record }) => record.asked_model);
  return late.map(({ match, record, least_ms, most_ms }) => {
    const model = record.asked_model;
    const others = byModel.get(model)?.length ?? 0;
    const warrant = latenessWarrant(context, 'late_posting', match.call, model, others);
    return makeFinding({
      class: 'late_posting',
      rule: 'absent_past_deadline',
      warrant: warrant ?? WARRANTS.records_requests,
      ...(warrant === null ? { severity: 'S4' as const } : {}),
      confidence: 'bounded',
      delta: 0n,
      direction: 'none',
      evidence: evidenceOf(record, match.call),
      request_id: record.request_id === '' ? null : record.request_id,
      call_id: match.call.call_id,
      model: record.model,
      explanation: `Record ${record.id} appeared between ${elapsedText(least_ms)} and ${elapsedText(most_ms)} after its call ended; half of this target's records are there after ${elapsedText(lag.p50_ms)}.`,
      next_step: 'Ask the operator how late a record may come, and set billing.deadlines to it.',
    });
  });
}

function appearances(
  context: JudgeContext,
  reads: readonly ReadLine[],
  matches: readonly CallMatch[],
): readonly Appearance[] {
  const first = new Map<string, number>();
  for (const { key, read_ms } of context.sweep.versions) {
    const known = first.get(key);
    if (known === undefined || read_ms < known) first.set(key, read_ms);
  }
  const sweeps = completeSweeps(reads);
  return matches.flatMap((match): readonly Appearance[] => {
    const [record] = match.records;
    const seen = record === undefined ? undefined : first.get(record.key);
    if (record === undefined || seen === undefined) return [];
    const second = record.created_at ?? 0;
    const missed = sweeps.filter(
      ({ start, end, ended_ms }) => ended_ms < seen && second >= start && second < end,
    );
    const least = missed.reduce((most, { begun_ms }) => Math.max(most, begun_ms - match.call.ended_ms), 0);
    return [{ match, record, least_ms: least, most_ms: Math.max(0, seen - match.call.ended_ms) }];
  });
}

export interface CompleteSweep {
  readonly sweep: number;
  readonly start: number;
  readonly end: number;
  readonly begun_ms: number;
  readonly ended_ms: number;
}

/**
 * A record that a complete sweep does not hold was certainly absent when its first page was read; later ones may have
 * been read before it came.
 */
export function completeSweeps(reads: readonly ReadLine[]): readonly CompleteSweep[] {
  const bySweep = Map.groupBy(reads, ({ sweep }) => sweep);
  return [...bySweep].flatMap(([sweep, ofSweep]) => {
    const end = ofSweep.find(({ read, complete }) => read === 'sweep_end' && complete === true);
    const begun = ofSweep
      .filter(({ read }) => read === 'records')
      .map(({ read_at }) => parseInstant(read_at) ?? Number.POSITIVE_INFINITY)
      .reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
    if (end === undefined || end.window === null || begun === Number.POSITIVE_INFINITY) return [];
    return [
      {
        sweep,
        ...end.window,
        begun_ms: begun,
        ended_ms: parseInstant(end.read_at) ?? Number.POSITIVE_INFINITY,
      },
    ];
  });
}

const UNITS: readonly (readonly [string, number])[] = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** `1.5 min`, `20 ms`: the largest unit of which there is at least one, with one decimal at most. */
export function elapsedText(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size);
  if (unit === undefined) return `${Math.round(ms)} ms`;
  const [name, size] = unit;
  return `${Math.round((ms / size) * 10) / 10} ${name}`;
}
