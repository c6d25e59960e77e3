import type { AgreedPrice } from '../contracts/billing-terms.ts';
import type { DocumentValue } from './document-value.ts';
import { formatDuration } from './duration.ts';
import type { ResolvedBilling } from './resolve-billing.ts';

type Section = { readonly [key: string]: DocumentValue };

/** The `billing:` block as it stands in weighbridge.yaml; every value set, what is null left out. */
export function billingDocument({ book, terms }: ResolvedBilling): Section {
  const { group, agreed, readings, policy, deadlines } = terms;
  const byClass = Object.entries(deadlines.by_class).flatMap(([name, ms]) =>
    ms === undefined ? [] : [[name, formatDuration(ms)] as const],
  );
  return {
    book: {
      adapter: book.adapter,
      ...(book.file === null ? {} : { file: book.file }),
      ...(book.mapping === null ? {} : { mapping: book.mapping }),
    },
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

function agreedDocument(agreed: AgreedPrice): Section {
  const { name, models, endpoints, from, until, factor, prices, rounding, minimum } = agreed;
  return {
    name,
    models,
    ...(endpoints === null ? {} : { endpoints }),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
    ...(factor === null ? {} : { factor }),
    ...(prices === null ? {} : { prices: { ...prices } }),
    ...(rounding === null ? {} : { rounding: { quantum: rounding.quantum, mode: rounding.mode } }),
    ...(minimum === null ? {} : { minimum: { ...minimum } }),
  };
}
