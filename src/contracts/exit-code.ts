/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  target: 3,
  objectives: 4,
  findings: 5,
  spendCap: 6,
  inconclusive: 7,
  interrupted: 130,
} as const;

/** The exit status is the first of these that holds. */
export const EXIT_ORDER: readonly number[] = [1, 2, 3, 130, 5, 6, 4, 7];

/** The exit status of a set of codes that hold. */
export function exitStatus(codes: readonly number[]): number {
  return EXIT_ORDER.find((code) => codes.includes(code)) ?? EXIT.ok;
}
