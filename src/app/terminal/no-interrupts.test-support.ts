import type { Interrupts } from './interrupts.ts';

/** A command that nobody interrupts. */
export function noInterrupts(): Interrupts {
  return {
    count: () => 0,
    first: new Promise(() => undefined),
    onSignal: () => () => undefined,
    release: () => undefined,
  };
}
