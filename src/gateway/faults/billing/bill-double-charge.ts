import { defineFault } from '../fault-definition.ts';

/** Two settled records of the same request id, of the same amount. */
export const billDoubleCharge = defineFault({
  id: 'bill.double_charge',
  summary: 'Books the charge of a call twice, as two records of one request id.',
  charge: 'wrong',
  shape: {},
  applies: ({ kind }) => kind !== null,
  arm: (_parameters, { fire }) => ({
    settled(charge) {
      charge.chargeAgain();
      fire(charge.amount);
    },
  }),
});
