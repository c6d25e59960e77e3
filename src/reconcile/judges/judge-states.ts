import type { Finding } from '../../contracts/finding.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { isNamedStatus } from '../records/status-role.ts';
import { makeFinding } from './make-finding.ts';

const RESULTS: readonly string[] = ['completed', 'failed', 'incomplete', 'cancelled', 'unknown'];

/**
 * One finding a state value that nobody has named (interface §2 shows `completed` and `settled` alone) and that the
 * records do not explain by themselves.
 */
export function judgeStates(records: readonly ServedRecord[]): readonly Finding[] {
  return [
    ...unnamed(
      'result',
      records.filter(({ result }) => !RESULTS.includes(result)),
      ({ result }) => result,
    ),
    ...unnamed(
      'billing_status',
      records.filter(({ role, billing_status: status }) => role === 'unknown' && !isNamedStatus(status)),
      ({ billing_status }) => billing_status,
    ),
  ];
}

function unnamed(
  field: 'result' | 'billing_status',
  records: readonly ServedRecord[],
  stateOf: (record: ServedRecord) => string,
): readonly Finding[] {
  const strange = records.filter(({ malformed }) => !malformed.includes(field));
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
