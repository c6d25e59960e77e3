import { afterEvents } from './after-events.ts';
import { defineFault } from './fault-definition.ts';

/** The response ends properly as HTTP, but its terminator event never came. */
export const netEofClean = defineFault({
  id: 'net.eof_clean',
  shape: { after_events: afterEvents },
  applies: (call) => call.stream,
  arm: ({ after_events }) => ({ cutBefore: (written) => (written >= after_events ? 'eof' : null) }),
});
