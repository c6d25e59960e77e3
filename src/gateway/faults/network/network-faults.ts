import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { BROKEN_EVENTS } from './broken-events.ts';
import { LINE_FORMS, netComments, TERMINATORS } from './line-forms.ts';
import { netGzipStream } from './net-gzip-stream.ts';
import { netCoalesce, netHalfEvent, netNoFlush, netSlice, netSplitUtf8 } from './sliced-events.ts';
import { netDrip, netSlowClose, netStall, netTtft } from './slow-streams.ts';
import { netEofClean, netFinMid, netResetMid } from './stream-cuts.ts';

/** Faults of connections and of bytes on the wire. */
export const NETWORK_FAULTS: readonly FaultDefinition[] = [
  netEofClean,
  netFinMid,
  ...BROKEN_EVENTS,
  ...LINE_FORMS,
  netCoalesce,
  netComments,
  netDrip,
  netGzipStream,
  netHalfEvent,
  netNoFlush,
  netResetMid,
  netSlice,
  netSlowClose,
  netSplitUtf8,
  netStall,
  netTtft,
  ...TERMINATORS,
];
