import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { BROKEN_EVENTS } from './broken-events.ts';
import { LINE_FORMS } from './line-forms.ts';
import { netCoalesce } from './net-coalesce.ts';
import { netComments } from './net-comments.ts';
import { netDrip } from './net-drip.ts';
import { netEofClean } from './net-eof-clean.ts';
import { netFinMid } from './net-fin-mid.ts';
import { netGzipStream } from './net-gzip-stream.ts';
import { netHalfEvent } from './net-half-event.ts';
import { netNoFlush } from './net-no-flush.ts';
import { netResetMid } from './net-reset-mid.ts';
import { netSlice } from './net-slice.ts';
import { netSlowClose } from './net-slow-close.ts';
import { netSplitUtf8 } from './net-split-utf8.ts';
import { netStall } from './net-stall.ts';
import { netTtft } from './net-ttft.ts';
import { TERMINATORS } from './terminators.ts';

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
