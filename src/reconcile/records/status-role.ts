/**
 * What a billing status means for the credit. `waived`: final, and nothing is charged. `unknown`: nobody named it, and
 * nothing tells.
 */
export type StatusRole = 'pending' | 'settled' | 'refunded' | 'waived' | 'unknown';

export const NAMED: ReadonlyMap<string, StatusRole> = new Map([
  ['pending', 'pending'],
  ['settled', 'settled'],
  ['refunded', 'refunded'],
  ['unknown', 'unknown'],
]);

/** The role of a status by its name alone. */
export function namedRole(status: string): StatusRole {
  return NAMED.get(status) ?? 'unknown';
}

export function isNamedStatus(status: string): boolean {
  return NAMED.has(status);
}
