import type { Interrupts, Notices } from './notices.ts';

/** A command that nobody interrupts. */
function noInterrupts(): Interrupts {
  return {
    count: () => 0,
    first: new Promise(() => undefined),
    onSignal: () => () => undefined,
    release: () => undefined,
  };
}

/** What a command needs of its terminal beside the places of its lines: nobody interrupts it or watches its progress. */
export const UNWATCHED: Pick<Notices, 'interrupts' | 'show' | 'shows'> = {
  interrupts: noInterrupts,
  show: () => undefined,
  shows: null,
};
