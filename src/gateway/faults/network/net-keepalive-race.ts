import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';

/** A kept connection is closed while the client may send on it: its next request is lost, and was not received. */
export const netKeepaliveRace = defineFault({
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
