import type { FaultDefinition } from '../hooks/fault-definition.ts';
import { BILLING_FAULTS } from './billing/billing-faults.ts';
import { HTTP_FAULTS } from './http/server-errors.ts';
import { CONNECTION_FAULTS } from './network/connection-faults.ts';
import { NETWORK_FAULTS } from './network/network-faults.ts';
import { SEMANTIC_FAULTS } from './semantic/semantic-faults.ts';

/** Every fault this gateway can commit; a further one is a file of its own and a line in the list of its family. */
export const FAULTS: readonly FaultDefinition[] = [
  ...CONNECTION_FAULTS,
  ...NETWORK_FAULTS,
  ...HTTP_FAULTS,
  ...SEMANTIC_FAULTS,
  ...BILLING_FAULTS,
];

const BY_ID: ReadonlyMap<string, FaultDefinition> = new Map(FAULTS.map((fault) => [fault.id, fault]));

export function faultById(id: string): FaultDefinition {
  const fault = BY_ID.get(id);
  if (fault === undefined) throw new RangeError(`no fault ${id}`);
  return fault;
}
