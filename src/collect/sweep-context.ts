import type { GatewayClient } from '../client/gateway-client.ts';
import { type HazardSeen, READ_HAZARDS, type ReadHazard } from '../contracts/usage-lines.ts';
import type { ReaderState } from './reader-state.ts';
import type { UsageStore } from './usage-store.ts';

/** What every read of one sweep uses. */
export interface SweepContext {
  readonly client: GatewayClient;
  readonly store: UsageStore;
  readonly state: ReaderState;
  readonly hazards: HazardLog;
  /** Numbers the walks of the sweep. */
  nextPass(): number;
}

export function sweepContext(parts: Omit<SweepContext, 'hazards' | 'nextPass'>): SweepContext {
  let pass = 0;
  return {
    ...parts,
    hazards: new HazardLog(),
    nextPass() {
      pass += 1;
      return pass;
    },
  };
}

const MOST_READS = 10;

/** Which hazards of reading a sweep met, and which answers show it. */
class HazardLog {
  readonly #met = new Map<ReadHazard, Set<string>>();

  met(hazard: ReadHazard, answerId: string | null = null): void {
    const reads = this.#met.get(hazard) ?? new Set();
    if (answerId !== null && reads.size < MOST_READS) reads.add(answerId);
    this.#met.set(hazard, reads);
  }

  seen(): readonly HazardSeen[] {
    return READ_HAZARDS.map((hazard) => ({
      hazard,
      met: this.#met.has(hazard),
      reads: [...(this.#met.get(hazard) ?? [])],
    }));
  }
}
