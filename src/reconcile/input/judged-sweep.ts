import type { ReadLine, UsageTotalsLine, UsageWindow } from '../../contracts/usage-lines.ts';
import { compareText } from '../../core/compare-text.ts';
import { parseInstant } from '../../core/time.ts';
import { type AcceptedRecords, NOTHING_ACCEPTED } from '../records/accepted-sums.ts';
import { beganMs, type CompletenessProof, completenessProof } from '../records/completeness-proof.ts';
import { contentOf, type ServedRecord, serveRecord } from '../records/served-record.ts';
import { servedTotals } from '../records/served-totals.ts';
import { withRoles } from '../records/status-roles.ts';
import { withWaived } from '../records/waived-records.ts';
import type { ReconcileInput } from './reconcile-input.ts';

/** What is judged: the records of the last complete sweep, supplemented by later reads of single request ids. */
export interface JudgedSweep {
  /** Null where no sweep was complete; then the last one with records is used. */
  readonly complete: number | null;
  readonly sweep: number | null;
  /** Sorted by creation, request id, id, content. */
  readonly records: readonly ServedRecord[];
  /** Of the sweep alone, for comparison with its totals. */
  readonly swept: readonly ServedRecord[];
  /** Sums of those records of the sweep alone that were accepted, and stand in none of these lists. */
  readonly accepted: readonly AcceptedRecords[];
  readonly totals: readonly UsageTotalsLine[];
  /** Earlier versions of records, from every read. */
  readonly versions: readonly ServedRecord[];
  /** Request ids under which a read before the judged sweep showed a record, and now there is none. */
  readonly gone_request_ids: ReadonlySet<string>;
  readonly windows: readonly UsageWindow[];
  /** All reads of usage, and those of the judged sweep. */
  readonly reads: readonly ReadLine[];
  readonly own_reads: readonly ReadLine[];
  /** How far it is proved that nothing is missing from it. */
  readonly proof: CompletenessProof;
  /** Milliseconds since the epoch of the last read of usage; ages count from it. Null without any read. */
  readonly last_read_ms: number | null;
  readonly last_read_at: string | null;
  /** Begin and end of the judged sweep, milliseconds since the epoch. */
  readonly began_ms: number | null;
  readonly swept_ms: number | null;
  /** When each request id was last asked for by itself and answered, milliseconds since the epoch. */
  readonly asked_ms: ReadonlyMap<string, number>;
}

const USAGE_READS: ReadonlySet<ReadLine['read']> = new Set(['records', 'totals', 'request', 'sweep_end']);

/** `askedModel` gives the name that calls and prices have for a model, of the one in a record. */
export function judgedSweep(
  input: ReconcileInput,
  askedModel: (recorded: string) => string = (recorded) => recorded,
): JudgedSweep {
  const ends = input.reads.filter((read) => read.read === 'sweep_end');
  const lasts = lastComplete(ends);
  const complete = lasts === null ? null : highest(lasts.map(({ sweep }) => sweep));
  const sweep =
    complete ?? highest(input.records.filter((line) => !line.by_request_id).map((line) => line.sweep));
  const sweeps = new Set(lasts === null ? [sweep] : lasts.map((end) => end.sweep));
  const isOwn = (line: { readonly sweep: number }): boolean => sweeps.has(line.sweep);
  const served = input.records.map((line) => serveRecord(line, askedModel)).sort(byMoment);
  const totals = input.totals.filter(isOwn);
  const versions = withWaived(withRoles(served, input.terms.readings.status), {
    judged: sweeps,
    complete: new Set(ends.filter((end) => end.complete === true).map((end) => end.sweep)),
    totals: totals.length === 0 ? null : servedTotals(totals),
    declared: input.terms.readings.status,
    settled_after_ms: input.terms.deadlines.task_ms,
  });
  const swept = [...sweeps].flatMap((one) => oneVersion(ofSweep(versions, one, input.reads)));
  const accepted = [...sweeps].flatMap((one) => acceptedOfSweep(input, one));
  const sweepEnd = ends.filter(isOwn);
  const sweptAt = latest(sweepEnd.map(({ read_at }) => read_at));
  const lastReadAt = latest(
    input.reads.filter(({ read }) => USAGE_READS.has(read)).map(({ read_at }) => read_at),
  );
  const later = versions.filter(
    (record) => record.by_request_id && (sweptAt === null || record.read_at > sweptAt),
  );
  const records = supplemented(swept, later).sort(byCreation);
  const ownReads = input.reads.filter(isOwn);
  const began = beganMs(ownReads);
  return {
    complete,
    sweep,
    records,
    swept,
    accepted,
    totals,
    versions,
    gone_request_ids: goneIds(
      versions.filter(({ read_ms }) => began !== null && read_ms < began),
      records,
    ),
    windows: windowsOf(ownReads),
    reads: input.reads,
    own_reads: ownReads,
    proof: completenessProof({
      ends: lasts ?? [],
      reads: ownReads,
      totals,
      records: accepted.reduce((sum, part) => sum + part.records, swept.length),
    }),
    last_read_ms: lastReadAt === null ? null : parseInstant(lastReadAt),
    last_read_at: lastReadAt,
    began_ms: began,
    swept_ms: sweptAt === null ? null : parseInstant(sweptAt),
    asked_ms: askedMs(input.reads),
  };
}

function askedMs(reads: readonly ReadLine[]): ReadonlyMap<string, number> {
  const asked = new Map<string, number>();
  for (const { read, request_id, read_at, status } of reads) {
    const ms = read === 'request' && status === 200 ? parseInstant(read_at) : null;
    if (request_id !== null && ms !== null) asked.set(request_id, Math.max(ms, asked.get(request_id) ?? ms));
  }
  return asked;
}

function goneIds(earlier: readonly ServedRecord[], records: readonly ServedRecord[]): ReadonlySet<string> {
  const present = new Set(records.map(({ request_id }) => request_id));
  return new Set(earlier.flatMap(({ request_id: id }) => (present.has(id) ? [] : [id])));
}

/** True where a record created at this Unix second would have been read. */
export function covers(sweep: JudgedSweep, second: number): boolean {
  return sweep.windows.some(({ start, end }) => second >= start && second < end);
}

/** The records that count of one sweep: those of the walks that its end names, or of the last walk where it has none. */
export function ofSweep(
  versions: readonly ServedRecord[],
  sweep: number | null,
  reads: readonly ReadLine[],
): readonly ServedRecord[] {
  const own = versions.filter((record) => record.sweep === sweep && !record.by_request_id);
  return ofCountedWalks(own, sweep, reads);
}

/** The sums of accepted records that count of one sweep, as `ofSweep`. */
export function acceptedOfSweep(
  { accepted, reads }: Pick<ReconcileInput, 'accepted' | 'reads'>,
  sweep: number | null,
): readonly AcceptedRecords[] {
  const own = (accepted ?? NOTHING_ACCEPTED).records.filter((part) => part.sweep === sweep);
  return ofCountedWalks(own, sweep, reads);
}

function ofCountedWalks<Part extends { readonly pass: number | null }>(
  own: readonly Part[],
  sweep: number | null,
  reads: readonly ReadLine[],
): readonly Part[] {
  const end = reads.find((read) => read.read === 'sweep_end' && read.sweep === sweep);
  const passes = end === undefined ? null : end.judged_passes;
  const last = highest(own.flatMap(({ pass }) => pass ?? []));
  return own.filter(({ pass }) => pass === null || (passes === null ? pass === last : passes.includes(pass)));
}

/** The last complete sweep of each key; null where a key has none. */
export function lastComplete(ends: readonly ReadLine[]): readonly ReadLine[] | null {
  const byKey = Map.groupBy(ends, ({ key_fp }) => key_fp);
  const lasts = [...byKey.values()].map((own) => {
    const sweep = highest(own.filter((end) => end.complete === true).map((end) => end.sweep));
    return own.filter((end) => end.complete === true && end.sweep === sweep);
  });
  return lasts.length === 0 || lasts.some((own) => own.length === 0)
    ? null
    : lasts.flat().toSorted((left, right) => left.sweep - right.sweep);
}

/**
 * One id is one record, however often it was served: the version that was read last counts. Of two that one read
 * served, the one that no longer waits is the later. Rows without an id cannot be told to be one.
 */
function oneVersion(records: readonly ServedRecord[]): ServedRecord[] {
  const byKey = Map.groupBy(records, ({ key }) => key);
  return [...byKey.values()].flatMap((versions) => {
    const last = versions.at(-1);
    if (last === undefined || last.id === '') return versions;
    return [versions.findLast((one) => one.read_at === last.read_at && one.role !== 'pending') ?? last];
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

function windowsOf(ownReads: readonly ReadLine[]): readonly UsageWindow[] {
  const ends = ownReads.filter(({ read }) => read === 'sweep_end');
  const own =
    ends.length > 0
      ? ends
      : ownReads.filter(({ read, purpose }) => read === 'records' && (purpose ?? 'sweep') === 'sweep');
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

function byCreation(left: ServedRecord, right: ServedRecord): number {
  return (
    (left.created_at ?? 0) - (right.created_at ?? 0) ||
    compareText(left.request_id, right.request_id) ||
    compareText(left.id, right.id) ||
    compareText(contentOf(left), contentOf(right))
  );
}
