import type { ModelPrice } from '../../../contracts/price-book.ts';
import type { JudgedCall } from '../../../contracts/reconciliation.ts';
import { AMOUNT_SCALE } from '../../../core/amount.ts';
import { multiplyRational, rational } from '../../../core/rational.ts';
import type { Expected } from '../../expect/expected-charge.ts';
import type { JudgeContext } from '../../expect/judge-context.ts';
import type { Judgement } from '../../judge/judgement.ts';
import type { PaidCall } from '../../records/paid-call.ts';
import type { ServedRecord } from '../../records/served-record.ts';
import { entryOf } from './lines-used.ts';

/** What of a call can be looked at for faults. */
export interface CheckedRow {
  readonly judged: JudgedCall;
  /** Of a call that was matched with its own record; else null. */
  readonly call: PaidCall | null;
  readonly record: ServedRecord | null;
  /** A final charge was compared with what the book gives for it. */
  readonly compared: boolean;
  /** … and that is one figure. */
  readonly exact: boolean;
  /** Answer and record both tell tokens. */
  readonly told: boolean;
  /** The price that holds for it; null unless `compared`. */
  readonly entry: ModelPrice | null;
  /** The exact charge is longer than the amount it is rounded to. */
  readonly rounded: boolean;
  /** Records that say that they estimate are known for this target. */
  readonly flags_estimates: boolean;
  /** No one else uses the key. */
  readonly exclusive: boolean;
  /** Times that its record was read. */
  readonly reads: number;
}

export function checkedRow(context: JudgeContext, judgement: Judgement, judged: JudgedCall): CheckedRow {
  const { subject } = judgement;
  const record = subject?.record ?? null;
  const expected = knownOf(judgement);
  const final = judged.verdict !== 'not_checkable' && judged.verdict !== 'provisional';
  const compared =
    final && expected !== null && expected.lines.length > 0 && (subject?.charge ?? null) !== null;
  const usage = judged.row?.usage ?? null;
  return {
    judged,
    call: subject?.call ?? null,
    record,
    compared,
    exact: compared && expected.point !== null,
    told:
      judged.row?.outcome === 'ok' &&
      usage?.input != null &&
      usage.output !== null &&
      record?.input != null &&
      record.output !== null,
    entry: compared && subject !== undefined ? entryOf(context, subject) : null,
    rounded: compared && expected.point !== null && isRounded(expected),
    flags_estimates: context.flagged_estimates > 0,
    exclusive: context.key === 'exclusive',
    reads: record === null ? 0 : (readsOf(context).get(record.key) ?? 1),
  };
}

function knownOf({ subject }: Judgement): Expected | null {
  return subject === undefined || 'unknown' in subject.expectation ? null : subject.expectation;
}

const AMOUNT_UNIT = rational(10n ** BigInt(AMOUNT_SCALE), 1n);

function isRounded({ exact, point }: Expected): boolean {
  if (exact == null || point === null) return false;
  const { num, den } = multiplyRational(exact, AMOUNT_UNIT);
  return num !== point * den;
}

const counted = new WeakMap<JudgeContext['sweep'], ReadonlyMap<string, number>>();

function readsOf({ sweep }: JudgeContext): ReadonlyMap<string, number> {
  const known = counted.get(sweep);
  if (known !== undefined) return known;
  const moments = new Map<string, Set<string>>();
  for (const { key, sweep: of, read_at } of sweep.versions) {
    const held = moments.get(key) ?? new Set();
    moments.set(key, held.add(`${of} ${read_at}`));
  }
  const reads = new Map([...moments].map(([key, held]) => [key, held.size]));
  counted.set(sweep, reads);
  return reads;
}
