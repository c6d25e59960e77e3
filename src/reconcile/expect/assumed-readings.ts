import type { AcceptedSums, AssumedReadings } from '../records/accepted-sums.ts';
import type { BillingSettings } from './billing-settings.ts';

/** What was accepted does not hold as it stands: under these readings of the bill it has to be accepted anew. */
export class OtherReadings extends Error {
  override readonly name = 'OtherReadings';
  readonly readings: AssumedReadings;

  constructor({ amount_meaning, input_includes_cache }: AssumedReadings) {
    super(`accepted under other readings than ${amount_meaning}, ${input_includes_cache}`);
    this.readings = { amount_meaning, input_includes_cache };
  }
}

/** Throws OtherReadings where the settings that the judged rows lead to are not those under which was accepted. */
export function holdToReadings({ assumed, groups }: AcceptedSums, settings: BillingSettings): void {
  const { amount_meaning, input_includes_cache } = settings;
  if (groups.length === 0) return;
  if (assumed.amount_meaning !== amount_meaning || assumed.input_includes_cache !== input_includes_cache)
    throw new OtherReadings({ amount_meaning, input_includes_cache });
}
