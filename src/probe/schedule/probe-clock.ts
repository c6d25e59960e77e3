/** Time as the daemon takes it: injected, so that tests do not wait. */
export interface ProbeClock {
  /** Milliseconds since the epoch; may jump either way. */
  now_ms(): number;
  /** Milliseconds from any moment; never goes back. */
  mono_ms(): number;
  /** Fires once, not before its time; the answer takes it back. */
  setTimer(ms: number, fire: () => void): () => void;
}

/** What the system's timers can hold: a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function systemProbeClock(): ProbeClock {
  const clock: ProbeClock = {
    now_ms: () => Date.now(),
    mono_ms: () => performance.now(),
    setTimer(ms, fire) {
      let cancel = () => {};
      if (ms > LONGEST_TIMER_MS) {
        const again = () => {
          cancel = clock.setTimer(ms - LONGEST_TIMER_MS, fire);
        };
        cancel = clock.setTimer(LONGEST_TIMER_MS, again);
        return () => cancel();
      }
      const timer = setTimeout(fire, Math.max(0, Math.ceil(ms)));
      return () => clearTimeout(timer);
    },
  };
  return clock;
}
