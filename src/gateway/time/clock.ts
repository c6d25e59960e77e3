/** Wall time from one anchor, so that both readings move together. */
export interface Clock {
  /** Milliseconds since the epoch. */
  wallMs(): number;
  /** Milliseconds on the monotonic clock. */
  monoMs(): number;
}

/** One whose wall time can be put forward; the monotonic reading, by which timers run, stays as it is. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
}

export function systemClock(): MovableClock {
  let wallAnchor = Date.now();
  const monoAnchor = performance.now();
  return {
    wallMs: () => wallAnchor + (performance.now() - monoAnchor),
    monoMs: () => performance.now(),
    advance(ms) {
      wallAnchor += ms;
    },
  };
}

export function unixSeconds(wallMs: number): number {
  return Math.floor(wallMs / 1000);
}
