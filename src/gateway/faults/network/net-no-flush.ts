import { defineFault } from '../../hooks/fault-definition.ts';

/** The head of the response comes with its first event, not before. */
export const netNoFlush = defineFault({
  id: 'net.no_flush',
  summary: 'Holds the headers of a stream back until its first event.',
  charge: 'charged',
  shape: {},
  applies: (call) => call.stream,
  arm: (_parameters, { fire }) => ({
    head(head) {
      fire();
      return { ...head, flush: false };
    },
  }),
});
