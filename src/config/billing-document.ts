import type { AgreedPrice } from '../contracts/billing-terms.ts';
import { type DocumentMap, set } from './document-value.ts';
import { formatDuration } from './duration.ts';
import type { ResolvedBilling } from './resolve-billing.ts';

/** The `billing:` block as it stands in weighbridge.yaml; every value set, what is null left out. */
export function billingDocument({ book, terms }: ResolvedBilling): DocumentMap {
  const { group, agreed, readings, policy, deadlines } = terms;
  const byClass = Object.entries(deadlines.by_class).flatMap(([name, ms]) =>
    ms === undefined ? [] : [[name, formatDuration(ms)] as const],
  );
  return {
    book: set({ ...book }),
    ...(group === null ? {} : { group }),
    ...(agreed.length === 0 ? {} : { agreed: agreed.map(agreedDocument) }),
    readings: { ...readings, status: new Map(Object.entries(readings.status)) },
    policy: { ...policy },
    deadlines: {
      text: formatDuration(deadlines.text_ms),
      task: formatDuration(deadlines.task_ms),
      refund: formatDuration(deadlines.refund_ms),
      ...(byClass.length === 0 ? {} : { class: Object.fromEntries(byClass) }),
    },
  };
}

function agreedDocument({ prices, rounding, minimum, ...agreed }: AgreedPrice): DocumentMap {
  return set({
    ...agreed,
    prices: prices && { ...prices },
    rounding: rounding && { quantum: rounding.quantum, mode: rounding.mode },
    minimum: minimum && { ...minimum },
  });
}
