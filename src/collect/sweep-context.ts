import type { GatewayClient } from '../client/gateway-client.ts';
import { HazardLog } from './hazard-log.ts';
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
