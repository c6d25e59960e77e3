interface Probe<R> {
  readonly level: number;
  readonly held: boolean;
  readonly result: R;
}

export interface Found<R> {
  /** Highest level that was seen to hold; null when not even the first did. */
  readonly most: number | null;
  /** In the order they were made. */
  readonly probes: readonly Probe<R>[];
}

export interface SearchRange {
  readonly first: number;
  readonly step: number;
  readonly limit: number;
}

/**
 * The most that holds, to `step`: from `first` on each level is half as much again until one fails, then the gap is
 * halved. A level that fails is tried once more, since what failed may have been the machine.
 */
export async function searchMost<R>(
  { first, step, limit }: SearchRange,
  probe: (level: number) => Promise<{ held: boolean; result: R }>,
): Promise<Found<R>> {
  const probes: Probe<R>[] = [];
  const holds = async (level: number): Promise<boolean> => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const one = { level, ...(await probe(level)) };
      probes.push(one);
      if (one.held) return true;
    }
    return false;
  };
  let most = 0;
  let failed = limit + step;
  let level = first;
  while (level <= limit && failed > limit) {
    if (await holds(level)) {
      most = level;
      if (level === limit) break;
      level = Math.min(limit, onGrid(level * 1.5, step));
    } else failed = level;
  }
  while (failed <= limit && failed - most > step) {
    const middle = onGrid((most + failed) / 2, step);
    if (middle <= most || middle >= failed) break;
    if (await holds(middle)) most = middle;
    else failed = middle;
  }
  return { most: most === 0 ? null : most, probes };
}

function onGrid(level: number, step: number): number {
  return Math.max(step, Math.round(level / step) * step);
}
