import { isTextKind } from '../../../core/call-kind.ts';
import { defineFault } from '../../hooks/fault-definition.ts';

/** A call that asks for a stream gets JSON, and one that asks for none gets a stream. */
export const netWrongType = defineFault({
  id: 'net.wrong_type',
  summary: 'Answers a stream by JSON, and a call that asks for none by a stream.',
  charge: 'charged',
  shape: {},
  applies: ({ kind }) => kind !== null && isTextKind(kind),
  arm: (_parameters, { fire }) => ({
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
