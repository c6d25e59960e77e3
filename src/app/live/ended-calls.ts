import type { CallRow } from '../../contracts/ledger-lines.ts';
import { isPaidKind, type PaidKind } from '../../core/call-kind.ts';
import { parseLedgerLine } from '../../ledger/parse-ledger-line.ts';
import { callTimes } from '../../measure/call-times.ts';
import { ascending, percentile } from '../../measure/latency-table.ts';
import { type LogicalCall, logicalCalls } from '../../measure/logical-call.ts';
import type { Failure, Figures, Times } from '../notices/progress.ts';

/** Most failures that are remembered: a next attempt may still take them back. */
const MOST_OPEN = 5_000;
/** Most groups, since a target may give each answer its own code; the rest is only counted. */
const MOST_GROUPS = 200;
const MOST_TOLD = 10;

interface Counted {
  /** Null for what is only counted. */
  readonly group: Failure | null;
  readonly kind: PaidKind;
  readonly weight: number;
}

/** Calls that failed by outcome, status and error code, as the report groups them. */
class FailureCounts {
  readonly #groups = new Map<string, Failure>();
  readonly #open = new Map<string, Counted>();
  #rest = 0;

  add(id: string, { outcome, status, error_code }: CallRow, kind: PaidKind, weight: number): void {
    const key = JSON.stringify([outcome, status, error_code]);
    const known = this.#groups.get(key);
    const isFull = known === undefined && this.#groups.size >= MOST_GROUPS;
    const group = isFull ? null : (known ?? { outcome, status, error_code, count: 0, kinds: {} });
    if (group !== null) this.#groups.set(key, group);
    const counted = { group, kind, weight };
    this.#change(counted, 1);
    this.#open.set(id, counted);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }

  /** The call goes on: what its attempt before counted for is taken back. */
  undo(id: string): void {
    const counted = this.#open.get(id);
    if (counted !== undefined) this.#change(counted, -1);
    this.#open.delete(id);
  }

  /** The commonest first, and how many calls stand in none of those told. */
  commonest(): { readonly errors: readonly Failure[]; readonly others: number } {
    const sorted = [...this.#groups]
      .filter(([, { count }]) => count > 0)
      .sort(([left, some], [right, others]) => others.count - some.count || (left < right ? -1 : 1))
      .map(([, group]) => ({ ...group, kinds: { ...group.kinds } }));
    const untold = sorted.slice(MOST_TOLD).reduce((sum, { count }) => sum + count, 0);
    return { errors: sorted.slice(0, MOST_TOLD), others: untold + this.#rest };
  }

  #change({ group, kind, weight }: Counted, sign: 1 | -1): void {
    if (group === null) {
      this.#rest += sign * weight;
      return;
    }
    group.count += sign * weight;
    const ofKind = (group.kinds[kind] ?? 0) + sign * weight;
    if (ofKind > 0) group.kinds[kind] = ofKind;
    else delete group.kinds[kind];
  }
}

/** Most rows read twice a second, of good calls and of the others each. */
const MOST_ROWS = 250;

const KIND = /"kind":"([a-z_]+)"/;
const OK = '"outcome":"ok"';

interface ChosenRow {
  readonly text: string;
  /** Rows for which it stands: whole, and over all of them as many as there were. */
  readonly weight: number;
}

/**
 * Chooses rows of paid calls evenly, in their order, and all where they are few: following a run must not slow the
 * load engine. Failures are chosen apart, so that a rare one is not lost among good calls.
 */
function evenSample(lines: readonly string[], most = MOST_ROWS): readonly ChosenRow[] {
  const paid = lines.filter((line) => isPaidKind(KIND.exec(line)?.[1] ?? ''));
  const ok = evenChoice(
    paid.filter((line) => line.includes(OK)),
    most,
  );
  const others = evenChoice(
    paid.filter((line) => !line.includes(OK)),
    most,
  );
  // An attempt stands before the one that follows it.
  return paid.flatMap((text) => {
    const weight = ok.get(text) ?? others.get(text);
    return weight === undefined ? [] : [{ text, weight }];
  });
}

/** The rows chosen, each with its weight; no two rows of a ledger are the same. */
function evenChoice(rows: readonly string[], most: number): ReadonlyMap<string, number> {
  const parts = Math.min(rows.length, most);
  const edge = (part: number) => Math.floor((part * rows.length) / parts);
  return new Map(
    Array.from({ length: parts }, (_, part) => [rows[edge(part)] ?? '', edge(part + 1) - edge(part)]),
  );
}

/** Most attempts that are remembered until the next attempt of their call. */
const MOST_ATTEMPTS = 5_000;

export interface WindowFigures extends Pick<Figures, 'ttft' | 'e2e' | 'tokens_per_s'> {}

interface Ended {
  readonly kind: PaidKind;
  readonly endedAt: number;
  readonly ttft: number | null;
  readonly e2e: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** Rows for which this one stands. */
  readonly weight: number;
}

/**
 * Tells the times, tokens and failures of calls that ended just now, by the definitions of the report: logical calls,
 * timed from the send of their first attempt.
 */
export class EndedCalls {
  readonly #kindOf: (scenario: string) => PaidKind | null;
  #ended: Ended[] = [];
  /** Attempts that did not end well, by logical call: another may follow. */
  readonly #attempts = new Map<string, readonly CallRow[]>();
  readonly #failures = new FailureCounts();

  constructor(kindOf: (scenario: string) => PaidKind | null) {
    this.#kindOf = kindOf;
  }

  add(lines: readonly string[]): void {
    for (const { text, weight } of evenSample(lines)) {
      const parsed = parseLedgerLine(text);
      if ('line' in parsed && parsed.line.schema === 'weighbridge.call/1') this.#take(parsed.line, weight);
    }
  }

  failures(): { readonly errors: readonly Failure[]; readonly others: number } {
    return this.#failures.commonest();
  }

  /** Forgets what ended before a moment, epoch ms: the window begins there. */
  forgetBefore(moment: number): void {
    this.#ended = this.#ended.filter(({ endedAt }) => endedAt >= moment);
  }

  /** Of one kind, or of all for null, in a window of so many seconds. */
  figures(kind: PaidKind | null, seconds: number): WindowFigures {
    const recent = this.#ended.filter((ended) => kind === null || ended.kind === kind);
    return {
      ttft: timesOf(recent.map(({ ttft }) => ttft)),
      e2e: timesOf(recent.map(({ e2e }) => e2e)),
      tokens_per_s: tokensOf(recent, seconds),
    };
  }

  /** Null while every row of the window was read. */
  sample(): { readonly read: number; readonly rows: number } | null {
    const rows = this.#ended.reduce((sum, { weight }) => sum + weight, 0);
    return rows === this.#ended.length ? null : { read: this.#ended.length, rows };
  }

  #take(row: CallRow, weight: number): void {
    const kind = this.#kindOf(row.scenario);
    const before = this.#attempts.get(row.logical_id) ?? [];
    const attempts = [...before, row];
    const [call] = logicalCalls(attempts);
    if (kind === null || call === undefined || !call.sent) return;
    this.#attempts.delete(row.logical_id);
    // The attempt before was not the last one: the call has not failed, or not by that.
    this.#failures.undo(row.logical_id);
    if (call.last.outcome !== 'ok') {
      this.#remember(row.logical_id, attempts);
      if (call.judged) this.#failures.add(row.logical_id, call.last, kind, weight);
    }
    // Of an attempt whose earlier ones were passed over, the wait of its call is not known.
    const times = call.last.outcome === 'ok' && isWhole(call) ? callTimes(call) : null;
    this.#ended.push({
      kind,
      endedAt: call.endedAt,
      ttft: times?.ttft ?? null,
      e2e: times?.e2e ?? null,
      tokens: tokensTold(row),
      weight,
    });
  }

  #remember(id: string, attempts: readonly CallRow[]): void {
    this.#attempts.set(id, attempts);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > MOST_ATTEMPTS && oldest !== undefined) this.#attempts.delete(oldest);
  }
}

function isWhole({ attempts, last }: LogicalCall): boolean {
  return attempts.length >= last.attempt;
}

function tokensTold({ usage }: CallRow): Ended['tokens'] {
  if (usage === null || usage.input === null || usage.output === null) return null;
  return { input: usage.input, output: usage.output };
}

function tokensOf(recent: readonly Ended[], seconds: number): Figures['tokens_per_s'] {
  const told = recent.filter(({ tokens }) => tokens !== null);
  if (told.length === 0 || seconds <= 0) return null;
  const sum = (side: 'input' | 'output'): number =>
    told.reduce((total, { tokens, weight }) => total + weight * (tokens?.[side] ?? 0), 0);
  const perSecond = (tokens: number) => Math.round((tokens / seconds) * 1000) / 1000;
  return { input: perSecond(sum('input')), output: perSecond(sum('output')) };
}

function timesOf(values: readonly (number | null)[]): Times {
  const sorted = ascending(values.filter((value) => value !== null));
  const [p50_ms, p95_ms, p99_ms] = [50, 95, 99].map((percent) => percentile(sorted, percent));
  if (p50_ms == null || p95_ms == null || p99_ms == null) return null;
  return { count: sorted.length, p50_ms, p95_ms, p99_ms };
}
