import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';

/** The listener is closed for a while; what was received before runs on. */
export const netRefuse = defineFault({
  id: 'net.refuse',
  summary: 'Answers this request, and then refuses connections for a while; idle ones are closed.',
  charge: 'none',
  shape: {
    for_ms: z.int().min(1).max(600_000).default(1000).describe('How long no connection is taken.'),
  },
  applies: () => true,
  arm: ({ for_ms }, { fire }) => ({ after: () => ({ does: 'refuse', for_ms, fired: () => fire() }) }),
});
