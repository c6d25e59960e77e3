import { type FaultClass, TITLE_OF } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';

/** What may be said only where it is proved. */
const PROVED: Partial<Record<FaultClass, string>> = {
  duplicate_charge: 'Billed twice',
  amount_mismatch: 'Overcharged',
};

/** What a finding means, in the words that its confidence allows. The class stands beside it. */
export function findingTitle({
  class: name,
  confidence,
  direction,
}: Pick<Finding, 'class' | 'confidence' | 'direction'>): string {
  if (confidence === 'proved' && direction === 'over') return PROVED[name] ?? TITLE_OF[name];
  if (name !== 'amount_mismatch' || direction === 'none') return TITLE_OF[name];
  return `Charged ${direction === 'over' ? 'above' : 'below'} the price list by our calculation`;
}
