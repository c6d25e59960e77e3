import { asName } from './json-fields.ts';

/** Words of other gateways for the four that the interface gives as examples (interface §3). xk6/wire/task.go has them too. */
const ALIKE: ReadonlyMap<string, string> = new Map([
  ['pending', 'queued'],
  ['submitted', 'queued'],
  ['processing', 'in_progress'],
  ['running', 'in_progress'],
  ['succeeded', 'completed'],
  ['success', 'completed'],
  ['cancelled', 'failed'],
  ['canceled', 'failed'],
  ['expired', 'failed'],
  ['error', 'failed'],
]);

/** The status that a task tells, in the interface's word where it has one; null where it tells none. */
export function taskStatusOf(told: unknown): string | null {
  const status = asName(told);
  return status === null ? null : (ALIKE.get(status) ?? status);
}
