import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';

/** The length that is announced is not that of the body; the connection closes after it. */
export const netBadLength = defineFault({
  id: 'net.bad_length',
  summary: 'Announces another length than the body has, and closes the connection after it.',
  charge: 'charged',
  shape: {
    announced: z.enum(['larger', 'smaller']).default('larger').describe('Than the body really is.'),
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
