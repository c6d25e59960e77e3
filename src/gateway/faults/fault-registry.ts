import { billDoubleCharge } from './bill-double-charge.ts';
import type { FaultDefinition } from './fault-definition.ts';
import { netEofClean } from './net-eof-clean.ts';
import { netFinMid } from './net-fin-mid.ts';

/** Every fault this gateway can commit; a further one is a file of its own and a line here. */
export const FAULTS: readonly FaultDefinition[] = [billDoubleCharge, netEofClean, netFinMid];

export function faultById(id: string): FaultDefinition {
  const fault = FAULTS.find((candidate) => candidate.id === id);
  if (fault === undefined) throw new RangeError(`no fault ${id}`);
  return fault;
}
