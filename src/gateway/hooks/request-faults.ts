import type { FaultHooks, FaultParameters } from './fault-definition.ts';

/** A fault chosen for one request; it has fired only once one of its hooks acted. */
export interface ArmedFault {
  readonly fault: string;
  readonly ordinal: number;
  readonly parameters: FaultParameters;
  readonly hooks: FaultHooks;
}

/** The faults of one request, in the order of their plan. */
export class RequestFaults {
  static readonly NONE = new RequestFaults([]);
  readonly armed: readonly ArmedFault[];

  constructor(armed: readonly ArmedFault[]) {
    this.armed = armed;
  }

  /** What the first hook gives that gives anything, or null. */
  first<T>(ask: (hooks: FaultHooks) => T | null | undefined): T | null {
    for (const { hooks } of this.armed) {
      const given = ask(hooks) ?? null;
      if (given !== null) return given;
    }
    return null;
  }

  /** Passes a value through every hook; a hook that gives null leaves it. */
  through<T>(value: T, ask: (hooks: FaultHooks, value: T) => T | null | undefined): T {
    return this.armed.reduce((current, { hooks }) => ask(hooks, current) ?? current, value);
  }

  each(tell: (hooks: FaultHooks) => void): void {
    for (const { hooks } of this.armed) tell(hooks);
  }
}
