import { parseInstant } from '../core/time.ts';
import type { ReadLine, UsageTotalsLine, UsageWindow } from '../core/usage-lines.ts';
import type { ReconcileInput } from './reconcile-input.ts';
import { type ServedRecord, serveRecord } from './served-record.ts';

/** What is judged: the records of the last complete sweep, supplemented by later reads of single request ids. */
export interface JudgedSweep {
  /** Null where no sweep was complete; then the last one with records is used. */
  readonly complete: number | null;
  readonly sweep: number | null;
  /** Sorted by creation, request id, id, content. */
  readonly records: readonly ServedRecord[];
  /** Of the sweep alone, for comparison with its totals. */
  readonly swept: readonly ServedRecord[];
  readonly totals: readonly UsageTotalsLine[];
  /** Earlier versions of records, from every read. */
  readonly versions: readonly ServedRecord[];
  readonly windows: readonly UsageWindow[];
  /** Milliseconds since the epoch of the last read of usage; ages count from it. Null without any read. */
  readonly last_read_ms: number | null;
  readonly last_read_at: string | null;
  /** End of the judged sweep, milliseconds since the epoch. */
  readonly swept_ms: number | null;
}

const USAGE_READS: ReadonlySet<ReadLine['read']> = new Set(['records', 'totals', 'request', 'sweep_end']);

export function judgedSweep(input: ReconcileInput): JudgedSweep {
  const ends = input.reads.filter((read) => read.read === 'sweep_end');
  const complete = highest(ends.filter((read) => read.complete === true).map(({ sweep }) => sweep));
  const sweep =
    complete ?? highest(input.records.filter((line) => !line.by_request_id).map((line) => line.sweep));
  const versions = input.records.map(serveRecord).sort(byMoment);
  const swept = oneVersion(ofSweep(versions, sweep));
  const sweepEnd = ends.filter((read) => read.sweep === sweep);
  const sweptAt = latest(sweepEnd.map(({ read_at }) => read_at));
  const lastReadAt = latest(
    input.reads.filter(({ read }) => USAGE_READS.has(read)).map(({ read_at }) => read_at),
  );
  const later = versions.filter(
    (record) => record.by_request_id && (sweptAt === null || record.read_at > sweptAt),
  );
  return {
    complete,
    sweep,
    records: supplemented(swept, later).sort(byCreation),
    swept,
    totals: input.totals.filter((line) => line.sweep === sweep),
    versions,
    windows: windowsOf(input.reads, sweep),
    last_read_ms: lastReadAt === null ? null : parseInstant(lastReadAt),
    last_read_at: lastReadAt,
    swept_ms: sweptAt === null ? null : parseInstant(sweptAt),
  };
}

/** True where a record created at this Unix second would have been read. */
export function covers(sweep: JudgedSweep, second: number): boolean {
  return sweep.windows.some(({ start, end }) => second >= start && second < end);
}

/** The records that one sweep read. */
export function ofSweep(versions: readonly ServedRecord[], sweep: number | null): readonly ServedRecord[] {
  return versions.filter((record) => record.sweep === sweep && !record.by_request_id);
}

/**
 * A record that changed while pages were read stands twice; its last version counts. Equal content twice is two
 * records: the collector keeps both only where the totals count both.
 */
function oneVersion(records: readonly ServedRecord[]): ServedRecord[] {
  const byKey = Map.groupBy(records, ({ key }) => key);
  return [...byKey.values()].flatMap((versions) => {
    const pending = versions.filter(({ billing_status }) => billing_status === 'pending');
    const moved = pending.length > 0 && pending.length < versions.length;
    return moved ? versions.filter(({ billing_status }) => billing_status !== 'pending') : versions;
  });
}

function supplemented(swept: readonly ServedRecord[], later: readonly ServedRecord[]): ServedRecord[] {
  const byKey = Map.groupBy(swept, ({ key }) => key);
  for (const record of later) {
    const held = byKey.get(record.key);
    if (held === undefined || held.length === 1) byKey.set(record.key, [record]);
  }
  return [...byKey.values()].flat();
}

function windowsOf(reads: readonly ReadLine[], sweep: number | null): readonly UsageWindow[] {
  const ends = reads.filter((read) => read.sweep === sweep && read.read === 'sweep_end');
  const own =
    ends.length > 0 ? ends : reads.filter((read) => read.sweep === sweep && read.read === 'records');
  return own.flatMap(({ window }) => (window === null ? [] : [window]));
}

function highest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>(
    (most, number) => (most === null || number > most ? number : most),
    null,
  );
}

function latest(instants: readonly string[]): string | null {
  return instants.reduce<string | null>((last, at) => (last === null || at > last ? at : last), null);
}

function byMoment(left: ServedRecord, right: ServedRecord): number {
  return left.sweep - right.sweep || compareText(left.read_at, right.read_at) || byCreation(left, right);
}

export function byCreation(left: ServedRecord, right: ServedRecord): number {
  return (
    (left.created_at ?? 0) - (right.created_at ?? 0) ||
    compareText(left.request_id, right.request_id) ||
    compareText(left.id, right.id) ||
    compareText(left.content, right.content)
  );
}

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
