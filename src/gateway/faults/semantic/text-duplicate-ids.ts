import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { requestIdHeaders } from '../../http/request-id.ts';
import { isTextCall } from './text-call.ts';

/** interface §4: a usage read takes no longer id. */
const LONGEST_ID = 64;
const REPEATED = '20000101000000000001repeated';

/** Records keep the id under which the call was accepted: the client cannot find its own. */
export const semDuplicateIds = defineFault({
  id: 'sem.duplicate_ids',
  summary:
    'Tells the calls it hits one and the same request id, or one of more than 64 characters, in headers and body.',
  charge: 'charged',
  shape: {
    form: z
      .enum(['repeated', 'long'])
      .default('repeated')
      .describe(
        'repeated: one id for all calls that are hit. long: their own, made longer than 64 characters.',
      ),
  },
  applies: isTextCall,
  arm({ form }, { fire, requestId }) {
    const told = form === 'repeated' ? REPEATED : requestId.padEnd(LONGEST_ID + 1, '0');
    return {
      reply: (reply) => ({ ...reply, requestId: told }),
      head(head) {
        fire();
        return { ...head, headers: { ...head.headers, ...requestIdHeaders(told) } };
      },
      replace({ status, body }) {
        if (status !== 200) return null;
        fire();
        return { status, headers: requestIdHeaders(told), body };
      },
    };
  },
});
