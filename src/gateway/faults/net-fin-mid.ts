import { afterEvents } from './after-events.ts';
import { defineFault } from './fault-definition.ts';

/** The connection closes inside the response: no chunked end, no terminator event. */
export const netFinMid = defineFault({
  id: 'net.fin_mid',
  shape: { after_events: afterEvents },
  applies: (call) => call.stream,
  arm: ({ after_events }) => ({ cutBefore: (written) => (written >= after_events ? 'fin' : null) }),
});
