/** Of step.mjs, for the commands that mend what set-up makes. */
export class SetupError extends Error {
  readonly exitCode: number;
}
export interface Step {
  readonly name: string;
  isReady(): boolean;
  check?(): Promise<void>;
  work(): string;
  run(): Promise<void>;
}
export function runSteps(
  steps: readonly Step[],
  say: (line: string) => void,
  tellEachMs?: number,
): Promise<void>;
