import type { MatchPass } from '../../core/reconciliation.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { type CallMatch, type PassResult, passResult } from './call-match.ts';

interface IdPass {
  readonly pass: MatchPass;
  readonly why: string;
  readonly idsOf: (call: PaidCall) => readonly string[];
}

const ID_PASSES: readonly IdPass[] = [
  {
    pass: 'request_id',
    why: 'the answer told this request id',
    idsOf: (call) => call.request_ids.slice(0, 1),
  },
  {
    pass: 'other_id',
    why: 'the answer told this request id among others',
    idsOf: (call) => call.request_ids.slice(1),
  },
  {
    pass: 'linked_id',
    why: 'the id of its answer or task is the request id of the record',
    idsOf: (call) => call.linked_ids,
  },
];

/**
 * Exact matching: first every call by its own request id, then by the other ids of its answer, then by task and
 * response ids. All records of one id go to one call.
 */
export function matchById(calls: readonly PaidCall[], records: readonly ServedRecord[]): PassResult {
  const free = Map.groupBy(records, ({ request_id }) => request_id);
  free.delete('');
  const matches: CallMatch[] = [];
  let left = calls;
  for (const { pass, why, idsOf } of ID_PASSES) {
    left = left.filter((call) => {
      const id = idsOf(call).find((candidate) => free.has(candidate));
      const found = id === undefined ? undefined : free.get(id);
      if (id === undefined || found === undefined) return true;
      matches.push({ call, records: found, pass, score: 1, why });
      free.delete(id);
      return false;
    });
  }
  return passResult(matches, calls, records);
}
