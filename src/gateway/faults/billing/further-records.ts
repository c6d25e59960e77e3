import { defineFault, type FaultContext, type FaultDefinition } from '../../hooks/fault-definition.ts';
import { paidCall } from './paid-call-subject.ts';

const RANDOM_CHARACTERS = 8;

/** Records beyond the one that a call is due. */
export const FURTHER_RECORD_FAULTS: readonly FaultDefinition[] = [
  defineFault({
    id: 'bill.duplicate_record',
    summary: 'Lists the record of a call twice, as two records of one request id; credit is taken once.',
    charge: 'wrong',
    shape: {},
    applies: paidCall,
    arm: (_parameters, { fire }) => ({
      booked(books) {
        if (books.record.status === 'settled' && books.record.amount > 0n) fire(books.add({}, true));
      },
    }),
  }),
  defineFault({
    id: 'bill.retry_charge',
    summary:
      'Charges a call once more under a request id that no client ever saw, as for a retry on the side of the server. The journal names that id.',
    charge: 'wrong',
    shape: {},
    applies: paidCall,
    arm: (_parameters, context) => ({
      booked(books) {
        if (books.record.status !== 'settled' || books.record.amount === 0n) return;
        const requestId = neverSeen(context);
        context.fire(books.add({ requestId }), requestId);
      },
    }),
  }),
  defineFault({
    id: 'bill.phantom_record',
    summary:
      'Books a settled record for no call at all beside that of the call, alike but for its request id. The journal names that id.',
    charge: 'wrong',
    shape: {},
    applies: paidCall,
    arm: (_parameters, context) => ({
      booked(books) {
        if (books.record.status !== 'settled' || books.record.amount === 0n) return;
        const requestId = neverSeen(context);
        context.fire(books.addForeign(requestId), requestId);
      },
    }),
  }),
  defineFault({
    id: 'bill.request_id_reuse',
    summary:
      'Books the record of a call under the request id of the one before it of the same key: one id has two records and the other none. Two journal lines, one for each.',
    charge: 'wrong',
    shape: {},
    applies: paidCall,
    arm: (_parameters, { fire }) => ({
      booked(books) {
        const { record } = books;
        const earlier = books.requestBefore();
        if (record.status !== 'settled' || earlier === null || earlier === record.requestId) return;
        books.amend({ requestId: earlier });
        fire(-record.amount);
        fire(record.amount, earlier);
      },
    }),
  }),
];

/** A request id of the usual form that the gateway gives to nobody. */
function neverSeen({ requestId, random }: FaultContext): string {
  const spread = Array.from({ length: RANDOM_CHARACTERS }, () => random.below(36).toString(36)).join('');
  return `${requestId.slice(0, -RANDOM_CHARACTERS)}${spread}`;
}
