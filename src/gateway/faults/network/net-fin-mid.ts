import { defineFault } from '../../hooks/fault-definition.ts';
import { afterEvents } from './after-events.ts';
import { cutAfterEvents } from './cut-after-events.ts';

/** The connection closes inside the response: no chunked end, no terminator event. */
export const netFinMid = defineFault({
  id: 'net.fin_mid',
  summary: 'Closes the connection inside the stream after some events.',
  charge: 'charged',
  shape: { after_events: afterEvents },
  applies: (call) => call.stream,
  arm: ({ after_events }, { fire }) => cutAfterEvents(after_events, 'fin', fire),
});
