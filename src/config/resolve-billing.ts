import { resolve } from 'node:path';
import { UNDECLARED } from '../contracts/billing-readings.ts';
import { type BillingTerms, NO_TERMS } from '../contracts/billing-terms.ts';
import { formatInstant, parseInstant } from '../core/time.ts';
import { type AssumedFile, assumedNames, underAssumed } from './assumed-readings.ts';
import type { AgreedEntry, BillingFile, BOOK_ADAPTERS } from './billing-schema.ts';
import { declaredRounding } from './reading-keys.ts';

/** How the price book is found and read. */
interface BookSource {
  readonly adapter: (typeof BOOK_ADAPTERS)[number];
  /** Absolute path of a book in place of the target's. */
  readonly file: string | null;
  /** Absolute path of a mapping file. */
  readonly mapping: string | null;
}

export interface ResolvedBilling {
  readonly book: BookSource;
  readonly terms: BillingTerms;
}

/** The `billing:` block with every value set, under what a flag assumes; its paths start from `folder`. */
export function resolveBilling(
  file: BillingFile | undefined,
  folder: string,
  assumed: AssumedFile | null = null,
): ResolvedBilling {
  const held = assumed === null ? (file ?? {}) : underAssumed(file, assumed);
  const { book, group, agreed, readings, policy, deadlines, cache } = held;
  return {
    book: {
      adapter: book?.adapter ?? 'auto',
      file: book?.file === undefined ? null : resolve(folder, book.file),
      mapping: book?.mapping === undefined ? null : resolve(folder, book.mapping),
    },
    terms: {
      group: group ?? null,
      agreed: (agreed ?? []).map(agreedPrice),
      policy: {
        empty_output: policy?.empty_output ?? NO_TERMS.policy.empty_output,
        server_error: policy?.server_error ?? NO_TERMS.policy.server_error,
        aborted: policy?.aborted ?? NO_TERMS.policy.aborted,
      },
      readings: {
        amount: readings?.amount ?? UNDECLARED.amount,
        input_tokens: readings?.input_tokens ?? UNDECLARED.input_tokens,
        output_tokens: readings?.output_tokens ?? UNDECLARED.output_tokens,
        created_at: readings?.created_at ?? UNDECLARED.created_at,
        totals_settled: readings?.totals_settled ?? UNDECLARED.totals_settled,
        totals_pending: readings?.totals_pending ?? UNDECLARED.totals_pending,
        totals_refunded: readings?.totals_refunded ?? UNDECLARED.totals_refunded,
        rounding: declaredRounding(readings?.rounding ?? 'auto'),
        status: readings?.status ?? UNDECLARED.status,
      },
      assumed: assumed === null ? [] : assumedNames(assumed),
      deadlines: {
        text_ms: deadlines?.text ?? NO_TERMS.deadlines.text_ms,
        task_ms: deadlines?.task ?? NO_TERMS.deadlines.task_ms,
        refund_ms: deadlines?.refund ?? NO_TERMS.deadlines.refund_ms,
        by_class: deadlines?.class ?? NO_TERMS.deadlines.by_class,
      },
      cache: cache === undefined ? null : declaredCache(cache),
    },
  };
}

function agreedPrice(entry: AgreedEntry): BillingTerms['agreed'][number] {
  const { rounding, minimum } = entry;
  return {
    name: entry.name,
    models: entry.models,
    endpoints: entry.endpoints ?? null,
    from: instant(entry.from),
    until: instant(entry.until),
    factor: entry.factor ?? null,
    prices: entry.prices === undefined ? null : definedPrices(entry.prices),
    rounding: rounding === undefined ? null : { ...rounding, scope: rounding.scope ?? 'untold', pre: [] },
    minimum:
      minimum === undefined
        ? null
        : {
            amount: minimum.amount,
            applies: minimum.applies ?? 'nonzero_price',
            zero_tokens: minimum.zero_tokens ?? 'zero',
          },
  };
}

function declaredCache(cache: NonNullable<BillingFile['cache']>): BillingTerms['cache'] {
  return {
    lifetime_ms: cache.lifetime ?? null,
    least_tokens: cache.least_tokens ?? null,
    block_tokens: cache.block_tokens ?? null,
    promised: cache.promised ?? false,
  };
}

function instant(text: string | undefined): string | null {
  const ms = text === undefined ? null : parseInstant(text);
  return ms === null ? null : formatInstant(ms);
}

type AgreedPrices = NonNullable<BillingTerms['agreed'][number]['prices']>;

function definedPrices(prices: NonNullable<AgreedEntry['prices']>): AgreedPrices {
  return Object.fromEntries(Object.entries(prices).filter(([, price]) => price !== undefined));
}
