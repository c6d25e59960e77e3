import { defineFault } from '../../hooks/fault-definition.ts';
import { afterEvents } from './after-events.ts';
import { cutAfterEvents } from './cut-after-events.ts';

/** The response ends properly as HTTP, but its terminator event never came. */
export const netEofClean = defineFault({
  id: 'net.eof_clean',
  summary: 'Ends the stream properly as HTTP after some events, without its terminator event.',
  charge: 'charged',
  shape: { after_events: afterEvents },
  applies: (call) => call.stream,
  arm: ({ after_events }, { fire }) => cutAfterEvents(after_events, 'eof', fire),
});
