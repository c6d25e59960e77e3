import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineFault, type FaultDefinition, plainFault } from '../../hooks/fault-definition.ts';
import { chargedAnyway, withheld } from '../charged-anyway.ts';
import { textCall } from '../hit.ts';

/** A call that asks for a stream gets JSON, and one that asks for none gets a stream. */
const netWrongType = plainFault({
  id: 'net.wrong_type',
  summary: 'Answers a stream by JSON, and a call that asks for none by a stream.',
  applies: textCall,
  arm: ({ fire }) => ({
    streamed: (asked) => !asked,
    json() {
      fire();
      return null;
    },
    head() {
      fire();
      return null;
    },
  }),
});

/** The length that is announced is not that of the body; the connection closes after it. */
const netBadLength = defineFault({
  id: 'net.bad_length',
  summary: 'Announces another length than the body has, and closes the connection after it.',
  shape: {
    announced: z
      .enum(['larger', 'smaller'])
      .default('larger')
      .describe('Whether the announced length is larger or smaller than the body.'),
    by: z.int().min(1).max(1_000_000).default(16).describe('Bytes; a length never falls below 0.'),
  },
  applies: ({ stream }) => !stream,
  arm: ({ announced, by }, { fire }) => ({
    replace({ status, body }) {
      fire();
      const length = Buffer.byteLength(body) + (announced === 'larger' ? by : -by);
      return {
        status,
        headers: { 'content-length': String(Math.max(0, length)), connection: 'close' },
        body,
      };
    },
  }),
});

/** The connection is lost before the first byte of an answer: the outcome of the request is unknown. */
const netResetBefore = defineFault({
  id: 'net.reset_before',
  summary: 'Ends the connection before the first byte of an answer.',
  charge: 'varies',
  shape: {
    ...chargedAnyway,
    manner: z.enum(['reset', 'fin']).default('reset').describe('By RST, or by an ordinary close.'),
  },
  applies: () => true,
  arm: ({ manner, ...charge }, context) => withheld(context, charge, () => manner),
});

/** The listener is closed for a while; what was received before runs on. */
const netRefuse = defineFault({
  id: 'net.refuse',
  summary: 'Answers this request, and then refuses connections for a while; idle ones are closed.',
  charge: 'none',
  shape: {
    for_ms: z.int().min(1).max(600_000).default(1000).describe('How long no connection is taken.'),
  },
  applies: () => true,
  arm: ({ for_ms }, { fire }) => ({ after: () => ({ does: 'refuse', for_ms, fired: () => fire() }) }),
});

/** A kept connection is closed while the client may send on it: its next request is lost, and was not received. */
const netKeepaliveRace = defineFault({
  id: 'net.keepalive_race',
  summary: 'Answers this request, and then loses its connection while the client keeps it for the next.',
  charge: 'none',
  shape: {
    idle_ms: z.int().min(0).max(600_000).default(5000).describe('Idle time after which it is closed.'),
    race: z
      .boolean()
      .default(true)
      .describe(
        'Whether a request that comes over it before is reset unanswered, as if it had met the close.',
      ),
  },
  applies: () => true,
  arm: ({ idle_ms, race }, { fire }) => ({
    after: () => ({ does: 'drop', idle_ms, race, fired: () => fire() }),
  }),
});

/** Faults of connections and of whole answers on the wire. */
export const CONNECTION_FAULTS: readonly FaultDefinition[] = [
  netRefuse,
  netResetBefore,
  netBadLength,
  netKeepaliveRace,
  netWrongType,
];
