import { declaredIn } from '../../../contracts/billing-terms.ts';
import { type CoverageSetting, shownSetting } from '../../../contracts/coverage-result.ts';
import type { MatchPass } from '../../../contracts/match-pass.ts';
import type { JudgedCall } from '../../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../../core/amount.ts';
import { isTokenKind } from '../../../core/call-kind.ts';
import type { MatchedRecords } from '../../match/match-records.ts';
import type { ServedRecord } from '../../records/served-record.ts';
import type { KeptInput } from './kept-input.ts';

/** Ways of a failed task, by what its records hold; all of them are one sum, so each is allowed. */
function wayOf(records: readonly ServedRecord[]): string {
  const [first] = records;
  if (first === undefined) return 'no record';
  if (records.length > 1) return 'a record of its own gives it back';
  const { amount, reserved, refunded } = first;
  if (amount.exact === 0n) return refunded.exact === 0n ? 'amount 0' : 'amount 0, reserve refunded';
  return amount.exact === refunded.exact && amount.exact === reserved.exact
    ? 'amount and refund are the reserve'
    : 'charged';
}

export function failedTasks({ matching }: MatchedRecords): CoverageSetting {
  const failed = matching.matches.filter(({ call }) => call.outcome === 'task_failed');
  const ways = [...Map.groupBy(failed, ({ records }) => wayOf(records))].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const [first] = failed;
  return shownSetting({
    name: 'failed_task',
    value: ways.length === 0 ? 'not met' : ways.map(([way]) => way).join(' or '),
    basis: ways.length === 0 ? 'assumed' : 'calls',
    evidence:
      ways.length === 0
        ? 'no record of a task that failed was read'
        : `${ways.map(([way, calls]) => `${calls.length} failed tasks: ${way}`).join(', ')}; the records of a task are one sum`,
    example: first === undefined ? null : `call:${first.call.call_id}`,
    changes: '0',
  });
}

/** When records are dated decides which of them a call without an id can have. */
export function createdAt({ input, matching }: MatchedRecords): CoverageSetting {
  const { window } = matching;
  const declared = input.terms.readings.created_at;
  const learnt = window.pairs > 0 && input.basis === 'ledger';
  const value = window.anchor === 'end' ? 'settlement' : 'acceptance';
  const other = value === 'settlement' ? 'acceptance' : 'settlement';
  return shownSetting({
    name: 'created_at',
    value: declared === 'auto' ? value : declared,
    basis: declared !== 'auto' ? 'declared' : learnt ? 'calls' : 'assumed',
    evidence:
      declared !== 'auto'
        ? `declared in ${declaredIn(input.terms, 'readings', 'created_at')}`
        : learnt
          ? `${window.pairs} records lie ${window.least_ms / 1000} to ${window.most_ms / 1000} s from the ${window.anchor} of their calls`
          : 'too few calls with a record tell: each moment of a call counts',
    also: declared === 'auto' && !learnt ? [other] : [],
  });
}

/** How records were found; nothing was sought where there is no ledger. */
export function requestIds({ matched, matching }: KeptInput): readonly CoverageSetting[] {
  if (matched.input.basis === 'records') return [];
  const pairs = (ids: boolean): number =>
    matching.reduce(
      (sum, row) => sum + (ID_PASSES.includes(row.pass) === ids && PAIRED.includes(row.pass) ? row.pairs : 0),
      0,
    );
  const [told, untold] = [pairs(true), pairs(false)];
  return [
    shownSetting({
      name: 'request_id',
      value: told === 0 ? (untold === 0 ? 'not met' : 'not told') : untold === 0 ? 'told' : 'told to some',
      basis: told + untold === 0 ? 'assumed' : 'calls',
      evidence: `${told} of ${told + untold} records were found by an id that the answer told`,
    }),
  ];
}

const ID_PASSES: readonly MatchPass[] = ['request_id', 'other_id', 'linked_id'];
const PAIRED: readonly MatchPass[] = [...ID_PASSES, 'watermark', 'fingerprint', 'assignment', 'cluster'];

/** Outcomes of calls that were answered in full, or refused before anything was delivered. */
const UNCUT: readonly JudgedCall['outcome'][] = ['ok', 'http_error', 'not_sent', null];

/** What of a cut stream is charged is the terms' to say. */
export function cutStreams({ context, calls }: KeptInput): CoverageSetting {
  const { aborted } = context.terms.policy;
  const cut = calls.filter(
    ({ kind, outcome }) => kind !== null && isTokenKind(kind) && !UNCUT.includes(outcome),
  );
  const amounts = cut.flatMap(({ charged }) => (charged === null ? [] : (parseAmount(charged) ?? [])));
  const charged = amounts.filter((amount) => amount > 0n);
  const counts = `${charged.length} of ${cut.length} cut calls are charged`;
  const [first] = cut;
  const example = first?.call_id == null ? null : `call:${first.call_id}`;
  if (aborted !== 'unsaid')
    return shownSetting({
      ...{ name: 'cut_stream', value: aborted, basis: 'declared', example },
      evidence: `declared in ${declaredIn(context.terms, 'policy', 'aborted')}; ${counts}`,
    });
  return shownSetting({
    ...{ name: 'cut_stream', value: first === undefined ? 'not met' : 'charged', basis: 'assumed', example },
    evidence: counts,
    also: first === undefined ? [] : ['free'],
    changes: formatAmount(charged.reduce<PicoUsd>((total, amount) => total + amount, 0n)),
  });
}
