import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { chargedAnyway, withheld } from '../charged-anyway.ts';

/** The connection is lost before the first byte of an answer: the outcome of the request is unknown. */
export const netResetBefore = defineFault({
  id: 'net.reset_before',
  summary: 'Ends the connection before the first byte of an answer.',
  charge: 'varies',
  shape: {
    ...chargedAnyway,
    manner: z.enum(['reset', 'fin']).default('reset').describe('By RST, or by an ordinary close.'),
  },
  applies: () => true,
  arm: ({ manner, ...charge }, context) => withheld(context, charge, () => manner),
});
