import { defineFault } from './fault-definition.ts';

/** A second settled record for the same request id, of the same amount. */
export const billDoubleCharge = defineFault({
  id: 'bill.double_charge',
  shape: {},
  applies: () => true,
  arm: () => ({
    settled(charge) {
      charge.chargeAgain();
      return charge.amount;
    },
  }),
});
