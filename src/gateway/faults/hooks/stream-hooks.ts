import type { Buffer } from 'node:buffer';
import type { StreamFrame } from '../../text/stream-player.ts';
import type { TextReply } from '../../text/text-format.ts';

/** How a stream is cut: `eof` ends the chunked body without its terminator event, `fin` closes the socket inside it. */
export type CutManner = 'eof' | 'fin';

/** Faults of text calls, most of them of streams. */
export interface StreamHooks {
  /** What the client is told instead of the reply; the charge goes by the true one. Null leaves it. */
  reply?(reply: TextReply): TextReply | null;
  /** The events in the place of the right ones, before they are due. */
  frames?(frames: Iterable<StreamFrame>): Iterable<StreamFrame>;
  /** How the bytes of one write go over the wire: each part by a write of its own. Null leaves them whole. */
  parts?(bytes: Buffer): readonly Buffer[] | null;
  /** Before each stream event: how to cut now, after `written` events, or null. */
  cutBefore?(written: number): CutManner | null;
}
