/** What names a planned call: its scenario, its number, and in a session its turn (from 1; null outside one). */
export interface CallName {
  readonly scenario: string;
  readonly n: number;
  readonly turn: number | null;
}

/** The same for all attempts, and for the same plan in every run. */
export function logicalIdOf({ scenario, n, turn }: CallName): string {
  return turn === null ? `${scenario}/${n}` : `${scenario}/${n}.${turn}`;
}

/** Unique in the run. Instance ids keep the processes of one run apart. */
export function callIdOf(instance: string, name: CallName, attempt: number): string {
  return `${instance}/${logicalIdOf(name)}/${attempt}`;
}
