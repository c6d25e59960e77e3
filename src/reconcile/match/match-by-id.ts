import type { MatchPass } from '../../contracts/match-pass.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { type CallMatch, type PassResult, passResult } from './call-match.ts';
import { isRecordCall, linkOfNameless } from './record-calls.ts';

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

/** A call that stands for a record without a request id goes to it, whatever the record fails to tell of its time or tokens. */
function matchNameless(calls: readonly PaidCall[], records: readonly ServedRecord[]): readonly CallMatch[] {
  const standing = calls.filter(
    ({ call_id, request_ids }) => request_ids.length === 0 && isRecordCall(call_id),
  );
  if (standing.length === 0) return [];
  const nameless = Map.groupBy(
    records.filter(({ request_id }) => request_id === ''),
    linkOfNameless,
  );
  return standing.flatMap((call): readonly CallMatch[] => {
    const record = nameless.get(call.linked_ids[0] ?? '')?.shift();
    const why = 'the record by itself, which names no request';
    return record === undefined ? [] : [{ call, records: [record], pass: 'linked_id', score: 1, why }];
  });
}

/**
 * Exact matching: first every call by its own request id, then by the other ids of its answer, then by task and
 * response ids. All records of one id go to one call.
 */
export function matchById(calls: readonly PaidCall[], records: readonly ServedRecord[]): PassResult {
  const free = Map.groupBy(records, ({ request_id }) => request_id);
  free.delete('');
  const matches: CallMatch[] = [...matchNameless(calls, records)];
  const standing = new Set(matches.map(({ call }) => call));
  let left = calls.filter((call) => !standing.has(call));
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
