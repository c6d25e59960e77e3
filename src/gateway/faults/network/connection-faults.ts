import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { netBadLength } from './net-bad-length.ts';
import { netKeepaliveRace } from './net-keepalive-race.ts';
import { netRefuse } from './net-refuse.ts';
import { netResetBefore } from './net-reset-before.ts';
import { netWrongType } from './net-wrong-type.ts';

/** Faults of connections and of whole answers on the wire. */
export const CONNECTION_FAULTS: readonly FaultDefinition[] = [
  netRefuse,
  netResetBefore,
  netBadLength,
  netKeepaliveRace,
  netWrongType,
];
