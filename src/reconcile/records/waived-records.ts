import type { PicoUsd } from '../../core/amount.ts';
import { contentOf, type ServedRecord } from './served-record.ts';
import type { TotalsFigures } from './served-totals.ts';
import { isNamedStatus } from './status-role.ts';

/** A record that is unchanged in two complete sweeps so far apart has become what it will be. */
const UNCHANGED_MS = 60_000;

/** Amounts of 0 that a record may keep for good are few words; more of them are left as they were learnt. */
const MOST_WORDS = 8;

export interface WaivedInput {
  /** The judged sweeps, and all complete ones. */
  readonly judged: ReadonlySet<number | null>;
  readonly complete: ReadonlySet<number>;
  /** Of the judged sweeps; null where none were read. */
  readonly totals: TotalsFigures | null;
  readonly declared: Readonly<Record<string, unknown>>;
  /** Milliseconds after its creation by which any record has settled. */
  readonly settled_after_ms: number;
}

/**
 * The records with the role `waived`, or `unknown` until then, where a word that nobody named (`free`, `voided`) stands over an amount of $0 that
 * is final: it stays as it is, and the target counts it neither as pending nor as unknown.
 */
export function withWaived(versions: readonly ServedRecord[], input: WaivedInput): readonly ServedRecord[] {
  const zeros = versions.filter(
    (record) =>
      record.amount.exact === 0n &&
      record.role !== 'refunded' &&
      !isNamedStatus(record.billing_status) &&
      !Object.hasOwn(input.declared, record.billing_status),
  );
  if (zeros.length === 0) return versions;
  const histories = Map.groupBy(versions, ({ key }) => key);
  const moving = movingWords(histories.values());
  const judged = versions.filter((record) => input.judged.has(record.sweep) && !record.by_request_id);
  const words = new Set(zeros.map(({ billing_status }) => billing_status));
  const waived = [...words].filter((word) => !moving.has(word) && isUncounted(word, words, judged, input));
  if (waived.length === 0) return versions;
  return versions.map((record) => {
    if (!waived.includes(record.billing_status) || record.amount.exact !== 0n) return record;
    if (isFinal(record, histories.get(record.key) ?? [], input)) return { ...record, role: 'waived' };
    // Nothing is held for it by the target's own totals: what it becomes is awaited.
    return input.totals === null ? record : { ...record, role: 'unknown' };
  });
}

/** Words that a record was seen to leave: they say that something is awaited. */
function movingWords(histories: Iterable<readonly ServedRecord[]>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const history of histories) {
    for (const [index, after] of history.entries()) {
      const before = history[index - 1];
      if (before === undefined) continue;
      if (before.billing_status !== after.billing_status || before.amount.text !== after.amount.text)
        words.add(before.billing_status);
    }
  }
  return words;
}

/** True where the figures of the totals can be made without the records of the word. */
function isUncounted(
  word: string,
  words: ReadonlySet<string>,
  judged: readonly ServedRecord[],
  { totals }: WaivedInput,
): boolean {
  if (totals === null) return true;
  if (words.size > MOST_WORDS) return false;
  const others = [...words].filter((other) => other !== word);
  const sumOf = (field: 'reserved' | 'amount', status: (record: ServedRecord) => boolean): PicoUsd =>
    judged.reduce((sum, record) => sum + (status(record) ? (record[field].exact ?? 0n) : 0n), 0n);
  const isZero = (record: ServedRecord, name: string): boolean =>
    record.billing_status === name && record.amount.exact === 0n;
  const held = others.map((name) => sumOf('reserved', (record) => isZero(record, name)));
  const counts = others.map((name) => BigInt(judged.filter((record) => isZero(record, name)).length));
  const named = (status: string): readonly ServedRecord[] =>
    judged.filter((record) => record.billing_status === status);
  const { pending, unknown_records: unknown } = totals.total;
  const waiting = (['reserved', 'amount'] as const).map((field) =>
    sumOf(field, ({ billing_status }) => billing_status === 'pending'),
  );
  return (
    (pending === null || waiting.some((base) => isSumOfSome(pending - base, held))) &&
    (unknown === null || isSumOfSome(unknown - BigInt(named('unknown').length), counts))
  );
}

function isSumOfSome(sum: bigint, [first, ...rest]: readonly bigint[]): boolean {
  if (first === undefined) return sum === 0n;
  return isSumOfSome(sum, rest) || isSumOfSome(sum - first, rest);
}

function isFinal(record: ServedRecord, history: readonly ServedRecord[], input: WaivedInput): boolean {
  const { created_at, read_ms } = record;
  if (created_at !== null && read_ms - created_at * 1000 >= input.settled_after_ms) return true;
  const content = contentOf(record);
  const seen = history.filter(
    (version) =>
      !version.by_request_id && input.complete.has(version.sweep) && contentOf(version) === content,
  );
  const moments = seen.map((version) => version.read_ms);
  return moments.length > 1 && Math.max(...moments) - Math.min(...moments) >= UNCHANGED_MS;
}
