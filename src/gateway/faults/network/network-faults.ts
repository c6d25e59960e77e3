import type { FaultDefinition } from '../fault-definition.ts';
import { netEofClean } from './net-eof-clean.ts';
import { netFinMid } from './net-fin-mid.ts';

/** Faults of connections and of bytes on the wire. */
export const NETWORK_FAULTS: readonly FaultDefinition[] = [netEofClean, netFinMid];
