import type { KnownTraffic } from '../input/reconcile-input.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { toldIds } from '../records/told-ids.ts';
import { matchByFingerprint } from './match-by-fingerprint.ts';
import { pairInTime } from './pair-in-time.ts';
import { requestGroups } from './request-groups.ts';
import type { TimeWindow } from './time-window.ts';

/** Tells the records of calls that other commands of ours made with the key. */
export class KnownRecords {
  readonly #owners: ReadonlyMap<PaidCall, string>;
  readonly #byId: ReadonlyMap<string, string>;
  readonly #told = new Map<ServedRecord, string>();
  /** Calls that may have a record, of which neither an id nor the tokens tell. */
  #open: readonly PaidCall[] = [];
  /** Records that were taken out of the matching. */
  readonly taken: ServedRecord[] = [];

  /** `own`: the calls that are judged, whose ids are theirs whatever else names them. */
  constructor(calls: KnownTraffic['calls'], own: readonly PaidCall[]) {
    const taken = new Set(own.flatMap(idsOf));
    this.#owners = new Map(calls.flatMap(({ of, calls: made }) => made.map((call) => [call, of] as const)));
    this.#byId = new Map(
      [...this.#owners].flatMap(([call, of]) =>
        idsOf(call).flatMap((id) => (taken.has(id) ? [] : [[id, of] as const])),
      ),
    );
  }

  /** Takes the records that an id tells; gives the others. */
  takeById(records: readonly ServedRecord[]): readonly ServedRecord[] {
    const isTold = ({ request_id }: ServedRecord) => this.#byId.has(request_id);
    this.taken.push(...records.filter(isTold));
    return records.filter((record) => !isTold(record));
  }

  /** Takes those that the tokens tell, of records that no call of the ledger has; gives the others. */
  takeByPrint(window: TimeWindow, records: readonly ServedRecord[]): readonly ServedRecord[] {
    const ids = new Set(this.taken.map(({ request_id }) => request_id));
    const nameless = [...this.#owners.keys()].filter((call) => !idsOf(call).some((id) => ids.has(id)));
    const printed = matchByFingerprint(window, nameless, records);
    for (const { call, records: found } of printed.matches) this.#tell(call, found);
    this.taken.push(...printed.matches.flatMap((match) => match.records));
    this.#open = printed.calls.filter((call) => recordDue(call) !== 'never');
    return printed.records;
  }

  /** Tells of the records that are left which may be those of calls whose answers told nothing: one request a call. */
  explain(window: TimeWindow, records: readonly ServedRecord[]): void {
    const byModel = Map.groupBy(this.#open, ({ model }) => model);
    const groups = Map.groupBy(requestGroups(records), ([{ model }]) => model);
    for (const [model, calls] of byModel)
      for (const { call, group } of pairInTime(window, calls, groups.get(model) ?? []))
        this.#tell(call, group);
  }

  /** Whose call it is of; null where no known one explains it. */
  ownerOf(record: ServedRecord): string | null {
    return this.#told.get(record) ?? this.#byId.get(record.request_id) ?? null;
  }

  #tell(call: PaidCall, records: readonly ServedRecord[]): void {
    for (const record of records) this.#told.set(record, this.#owners.get(call) ?? '');
  }
}

/** Ids under which a record of the call may stand. */
export function idsOf(call: PaidCall): readonly string[] {
  return [...call.request_ids, ...call.linked_ids, ...toldIds(call).map(({ id }) => id)];
}
