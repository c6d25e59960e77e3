import * as z from 'zod';
import { AMOUNT_SCALE, type PicoUsd } from '../../../core/amount.ts';
import type { CallBooks } from '../../charging/call-books.ts';
import type { ChargedUnits } from '../../charging/priced-work.ts';
import { atPrices, effectivePrices, NO_EXTRAS, type TextExtras } from '../../charging/text-extras.ts';
import type { TokenUsage } from '../../events/charge-record.ts';
import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import type { ContextTiers, TextModel } from '../../models/model.ts';
import { textCall } from '../hit.ts';
import { timesFactor } from './parameters.ts';
import { charged, wrongAmount, wrongRecordBy } from './wrong-record.ts';

const EXACT = { decimals: AMOUNT_SCALE, mode: 'trunc' } as const;

type TextWork = Extract<ChargedUnits, { kind: 'text' }>;

/** Price lines of the book beside those of plain tokens, left out or taken for others. */
export const WRONG_LINE_FAULTS: readonly FaultDefinition[] = [
  wrongRecordBy({
    id: 'bill.reasoning_double_count',
    summary:
      'Reasoning tokens, which are inside the output, are charged once more, or not at all; fires only where there are any.',
    shape: {
      variant: z
        .enum(['counted_twice', 'charged_twice', 'omitted'])
        .default('counted_twice')
        .describe(
          'The output tokens of the record hold them twice, and are charged; only the amount has them twice; neither has them.',
        ),
    },
    applies: textCall,
    change: ({ variant }, books) => {
      const { work, used, record } = books;
      if (work?.kind !== 'text' || record.status !== 'settled') return null;
      const { reasoning } = extrasOf(work);
      if (reasoning === 0) return null;
      const isOmitted = variant === 'omitted';
      const usage = { ...used, output: isOmitted ? used.output - reasoning : used.output + reasoning };
      const wrong = isOmitted ? withExtras(work, { reasoning: 0 }) : work;
      const amount = books.price(usage, wrong);
      if (amount === null) return null;
      return { ...charged(record, amount), ...(variant === 'charged_twice' ? {} : { usage }) };
    },
  }),
  wrongAmount({
    id: 'bill.tier_not_applied',
    summary:
      'A call is charged by another context tier than its context has, or by parts of several; fires only where that changes the amount.',
    shape: {
      variant: z
        .enum(['base', 'other_edge', 'without_cache', 'graduated', 'output_at_base'])
        .default('base')
        .describe(
          'No tier at all; a context of exactly the edge on its other side; by the context without cache tokens; each part of the context at the prices of its own tier, the output at those below the first; only the output so.',
        ),
    },
    applies: textCall,
    amount: ({ variant }, books) => {
      const { work, used } = books;
      const tiers = work?.kind === 'text' ? work.model.context_tiers : undefined;
      if (work?.kind !== 'text' || tiers === undefined) return null;
      return variant === 'graduated'
        ? graduated(books, work, tiers)
        : books.price(used, wrongTier(variant, work, tiers, used));
    },
  }),
  wrongAmount({
    id: 'bill.service_tier_price',
    summary:
      'A call is charged by another tier of service than it was served at, as its answer tells; fires only where that changes the amount.',
    shape: {
      variant: z
        .enum(['as_default', 'as_priority', 'as_flex'])
        .default('as_priority')
        .describe('The tier whose prices are charged.'),
    },
    applies: textCall,
    amount: ({ variant }, books) => {
      const { work, used } = books;
      if (work?.kind !== 'text' || work.model.service_tiers === undefined) return null;
      const serviceTier = variant === 'as_default' ? null : variant.slice('as_'.length);
      return books.price(used, withExtras(work, { serviceTier }));
    },
  }),
  wrongAmount({
    id: 'bill.tool_surcharge',
    summary: 'A call is charged a tool call that it did not make, or none of those that it made.',
    shape: {
      variant: z
        .enum(['one_more', 'omitted'])
        .default('one_more')
        .describe('One tool call more than there were, where the model has a price for them; or none.'),
    },
    applies: textCall,
    amount: ({ variant }, books) => {
      if (books.work?.kind !== 'text') return null;
      const toolCalls = variant === 'one_more' ? extrasOf(books.work).toolCalls + 1 : 0;
      return books.price(books.used, withExtras(books.work, { toolCalls }));
    },
  }),
];

function extrasOf({ extras = NO_EXTRAS }: TextWork): TextExtras {
  return extras;
}

function withExtras(work: TextWork, wrong: Partial<TextExtras>): TextWork {
  return { ...work, extras: { ...extrasOf(work), ...wrong } };
}

function wrongTier(
  variant: 'base' | 'other_edge' | 'without_cache' | 'output_at_base',
  work: TextWork,
  tiers: ContextTiers,
  { input, cacheRead, cacheWrite }: TokenUsage,
): TextWork {
  const { model } = work;
  const pricedAt = (length: number): TextModel =>
    atPrices(model, effectivePrices(model, length, extrasOf(work)));
  switch (variant) {
    case 'base':
      return { ...work, model: atPrices(model, model) };
    case 'other_edge': {
      const inclusive = tiers.inclusive === 'gt' ? 'ge' : 'gt';
      return { ...work, model: { ...model, context_tiers: { ...tiers, inclusive } } };
    }
    case 'without_cache':
      return { ...work, model: pricedAt(input - cacheRead - cacheWrite) };
    case 'output_at_base':
      return { ...work, model: { ...pricedAt(input), output: model.output } };
  }
}

/**
 * Each part of the context, in the order cache read, cache write, plain input, at the prices of the tier it lies in. A
 * token belongs to the tier that a context of which it is the last one has.
 */
function graduated(
  books: CallBooks,
  work: TextWork,
  { thresholds, inclusive }: ContextTiers,
): PicoUsd | null {
  const { model } = work;
  const { input, cacheRead, cacheWrite, output } = books.used;
  let sum = 0n;
  const below = thresholds.map(({ above }) => (inclusive === 'ge' ? above - 1 : above));
  [model, ...thresholds].forEach((tier, index) => {
    const from = below[index - 1] ?? 0;
    const to = Math.min(below[index] ?? input, input);
    const between = (start: number, end: number): number =>
      Math.max(0, Math.min(end, to) - Math.max(start, from));
    const part = {
      input: between(0, input),
      cacheRead: between(0, cacheRead),
      cacheWrite: between(cacheRead, cacheRead + cacheWrite),
      output: index === 0 ? output : 0,
    };
    const extras = index === 0 ? extrasOf(work) : NO_EXTRAS;
    sum += books.price(part, { ...work, model: atPrices(model, tier), extras }, EXACT) ?? 0n;
  });
  return timesFactor(sum, '1', books.rounding);
}
