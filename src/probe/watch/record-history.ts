import { hash } from 'node:crypto';
import type { RECORD_CHANGES } from '../../contracts/metrics/label-values.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { contentOf, type ServedRecord } from '../../reconcile/records/served-record.ts';
import { inPieces } from './in-pieces.ts';

/** About a month of one probed key; a busier one is remembered for less long. */
const MOST_RECORDS = 50_000;

interface KnownRecord {
  readonly content: string;
  readonly role: ServedRecord['role'];
  /** Unix seconds. */
  readonly created_at: number | null;
  readonly request_id: string;
  /** Whole reads of its time in a row that did not serve it. */
  readonly missed: number;
}

export interface HistoryStep {
  /** Keys of records that were not known, or have other content. */
  readonly news: ReadonlySet<string>;
  readonly counts: Readonly<Record<(typeof RECORD_CHANGES)[number], number>>;
}

/**
 * The records of a key as they were served last. A settled record may still be refunded; nothing else about a final one
 * may change, and it may not go. One read can lose a record between two pages: it has vanished when a second misses it.
 */
export class RecordHistory {
  readonly #known = new Map<string, KnownRecord>();
  /** When a request was first seen settled, ms since the epoch. */
  readonly #settled = new Map<string, number>();

  /** What an archive holds of earlier. */
  remember(records: readonly ServedRecord[]): void {
    for (const [key, copies] of Map.groupBy(records, ({ key }) => key)) this.#take(key, copies);
  }

  /** `whole`: every record of the window was served. One read at a time. */
  async read(records: readonly ServedRecord[], window: UsageWindow, whole: boolean): Promise<HistoryStep> {
    const byKey = Map.groupBy(records, ({ key }) => key);
    const news = new Set<string>();
    let changed = 0;
    for await (const piece of inPieces([...byKey])) {
      for (const [key, copies] of piece) {
        const seen = this.#take(key, copies);
        if (seen !== 'known') news.add(key);
        if (seen === 'changed') changed += 1;
      }
    }
    const vanished = whole ? this.#vanished(byKey, window) : 0;
    return { news, counts: { changed, vanished } };
  }

  /** Milliseconds since the epoch of the first read that showed it; null where none did. */
  settledAt(requestId: string): number | null {
    return this.#settled.get(requestId) ?? null;
  }

  /** `changed` where it may not have. */
  #take(key: string, copies: readonly ServedRecord[]): 'known' | 'new' | 'changed' {
    const [record] = copies;
    if (record === undefined) return 'known';
    const before = this.#known.get(key);
    const now = knownOf(record);
    if (isFinal(now) && record.request_id !== '' && !this.#settled.has(record.request_id))
      this.#settled.set(record.request_id, record.read_ms);
    if (before?.content === now.content) {
      this.#known.set(key, { ...before, missed: 0 });
      return 'known';
    }
    this.#keep(key, now);
    // Of two records under one id versions cannot be told from copies.
    return copies.length === 1 && before !== undefined && isRegress(before, now) ? 'changed' : 'new';
  }

  #vanished(present: ReadonlyMap<string, unknown>, { start, end }: UsageWindow): number {
    let vanished = 0;
    for (const [key, known] of this.#known) {
      const { created_at: second } = known;
      const inside = second !== null && second >= start && second < end;
      if (!inside || !isFinal(known) || present.has(key)) continue;
      const missed = known.missed + 1;
      if (missed === 2) vanished += 1;
      this.#known.set(key, { ...known, missed });
    }
    return vanished;
  }

  #keep(key: string, record: KnownRecord): void {
    this.#known.delete(key);
    this.#known.set(key, record);
    if (this.#known.size <= MOST_RECORDS) return;
    const [oldest] = this.#known;
    if (oldest === undefined) return;
    this.#known.delete(oldest[0]);
    this.#settled.delete(oldest[1].request_id);
  }
}

function knownOf(record: ServedRecord): KnownRecord {
  const { role, created_at, request_id } = record;
  const content = hash('sha256', contentOf(record), 'base64').slice(0, 22);
  return { content, role, created_at, request_id, missed: 0 };
}

function isFinal({ role }: Pick<KnownRecord, 'role'>): boolean {
  return role === 'settled' || role === 'refunded';
}

function isRegress(before: KnownRecord, now: KnownRecord): boolean {
  return isFinal(before) && !(before.role === 'settled' && now.role === 'refunded');
}
