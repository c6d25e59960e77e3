/** Wall time from one anchor taken at the start, so that both readings move together. */
export interface Clock {
  /** Milliseconds since the epoch. */
  wallMs(): number;
  /** Milliseconds on the monotonic clock. */
  monoMs(): number;
}

export function systemClock(): Clock {
  const wallAnchor = Date.now();
  const monoAnchor = performance.now();
  return {
    wallMs: () => wallAnchor + (performance.now() - monoAnchor),
    monoMs: () => performance.now(),
  };
}

export function unixSeconds(wallMs: number): number {
  return Math.floor(wallMs / 1000);
}
