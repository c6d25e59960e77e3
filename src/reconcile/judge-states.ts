import type { Finding } from '../core/finding.ts';
import { makeFinding } from './make-finding.ts';
import type { ServedRecord } from './served-record.ts';

const RESULTS: readonly string[] = ['completed', 'failed', 'incomplete', 'cancelled', 'unknown'];
const BILLING_STATUSES: readonly string[] = ['pending', 'settled', 'refunded', 'unknown'];

/** One finding a state value that nobody has named (interface §2 shows `completed` and `settled` alone). */
export function judgeStates(records: readonly ServedRecord[]): readonly Finding[] {
  return [
    ...unnamed('result', RESULTS, records, ({ result }) => result),
    ...unnamed('billing_status', BILLING_STATUSES, records, ({ billing_status }) => billing_status),
  ];
}

function unnamed(
  field: 'result' | 'billing_status',
  known: readonly string[],
  records: readonly ServedRecord[],
  stateOf: (record: ServedRecord) => string,
): readonly Finding[] {
  const strange = records.filter(
    (record) => !record.malformed.includes(field) && !known.includes(stateOf(record)),
  );
  return [...Map.groupBy(strange, stateOf).entries()].map(([value, group]) =>
    makeFinding({
      class: 'unknown_status',
      rule: field,
      confidence: 'proved',
      delta: null,
      evidence: [`${field}:${value}`],
      explanation: `${group.length} records have ${field} ${JSON.stringify(value)}, a value whose meaning is not known.`,
      next_step: 'Ask the operator what the value means for the charge.',
    }),
  );
}
