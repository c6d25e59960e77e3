/** The time of a paid call: tests put a clock of their own here. */
export interface CallClock {
  /** Milliseconds since the epoch. */
  wallMs(): number;
  /** Milliseconds that no setting of the clock moves. */
  monoMs(): number;
  /** Calls `ring` once, `ms` from now, unless the function that it returns is called before. */
  after(ms: number, ring: () => void): () => void;
}

export const SYSTEM_CALL_CLOCK: CallClock = {
  wallMs: () => Date.now(),
  monoMs: () => performance.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};
