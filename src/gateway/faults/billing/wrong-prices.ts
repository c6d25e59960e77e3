import * as z from 'zod';
import type { PicoUsd } from '../../../core/amount.ts';
import type { CallBooks } from '../../charging/call-books.ts';
import type { ChargedUnits } from '../../charging/priced-work.ts';
import { atPrices, effectivePrices, NO_EXTRAS } from '../../charging/text-extras.ts';
import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import type { Model, ModelTextPrices } from '../../models/model.ts';
import type { PriceVersion } from '../../pricing/price-history.ts';
import { textCall } from '../hit.ts';
import { amountParameter, factor, timesFactor, usdParameter } from './parameters.ts';
import { charged, wrongAmount, wrongRecord, wrongRecordBy } from './wrong-record.ts';

const UNIT_FACTORS = {
  cents_as_usd: '100',
  usd_as_cents: '0.01',
  per_thousand: '1000',
  per_billion: '0.001',
} as const;

const rate = z.enum([
  'output_at_input',
  'input_at_output',
  'cache_read_at_input',
  'cache_write_at_read',
  'cache_counted_twice',
  'image_dearest',
  'image_cheapest',
]);

/** Amounts that the price book does not give for what was used. */
export const WRONG_PRICE_FAULTS: readonly FaultDefinition[] = [
  wrongRecordBy({
    id: 'bill.wrong_version',
    summary:
      'After a change of the price book, a call is charged by the old one, or names it; fires only where there is an old one.',
    shape: {
      variant: z
        .enum(['old_version', 'old_prices', 'new_prices_old_id'])
        .default('old_version')
        .describe(
          'Old prices and old id; old prices under the id in force; prices in force under the old id.',
        ),
    },
    change: ({ variant }, books) => {
      const old = books.prices.previous;
      if (old === null || books.record.status !== 'settled') return null;
      const amount = variant === 'new_prices_old_id' ? books.record.amount : priceBy(books, old);
      if (amount === null) return null;
      const { pricebook_id: pricebookId, pricing_version: pricingVersion } = old.book;
      return {
        ...charged(books.record, amount),
        ...(variant === 'old_prices' ? {} : { pricebookId, pricingVersion }),
      };
    },
  }),
  wrongAmount({
    id: 'bill.wrong_rate',
    summary:
      'One kind of token, or an image, is charged at the price of another; fires only where that changes the amount.',
    shape: {
      variant: rate
        .default('output_at_input')
        .describe('What is charged how; the last two are for images, the others for text.'),
    },
    amount: ({ variant }, books) => wrongRate(variant, books),
  }),
  wrongAmount({
    id: 'bill.video_units',
    summary: 'A video is charged other seconds or another resolution than asked for.',
    shape: {
      variant: z
        .enum(['longest', 'dearest_resolution'])
        .default('longest')
        .describe('As many seconds as the model allows; the most expensive resolution of the model.'),
    },
    applies: ({ kind }) => kind === 'video',
    amount: ({ variant }, books) => {
      const { work, used } = books;
      if (work?.kind !== 'video') return null;
      const wrong =
        variant === 'longest'
          ? [{ ...work, seconds: work.model.max_seconds }]
          : work.model.tiers.map(({ resolution: size }) => ({ ...work, size }));
      return dearest(wrong.map((other) => books.price(used, other)));
    },
  }),
  wrongRecordBy({
    id: 'bill.wrong_model',
    summary: 'A call is charged by the prices of a more expensive model, or its record names that model.',
    shape: {
      variant: z.enum(['price', 'name']).default('price').describe('The prices are wrong, or the name.'),
    },
    applies: textCall,
    change: ({ variant }, books) => {
      const { work, used, record, prices } = books;
      if (work?.kind !== 'text' || record.status !== 'settled') return null;
      for (const model of prices.current.models) {
        const amount = model.kind === 'text' ? books.price(used, { ...work, model }) : null;
        if (amount === null || amount <= record.amount) continue;
        return variant === 'name' ? { model: model.id } : charged(record, amount);
      }
      return null;
    },
  }),
  wrongAmount({
    id: 'bill.multiplier_hidden',
    summary: 'The amount has a factor that the price book does not state.',
    shape: { factor: factor('1.1').describe('By which the amount is multiplied.') },
    amount: ({ factor: by }, { record, rounding }) => timesFactor(record.amount, by, rounding),
  }),
  wrongAmount({
    id: 'bill.unit_error',
    summary: 'The amount is wrong by a unit.',
    shape: {
      variant: z
        .enum(['cents_as_usd', 'usd_as_cents', 'per_thousand', 'per_billion'])
        .default('cents_as_usd')
        .describe('A hundred times too much, a hundredth, a thousand times too much, a thousandth.'),
    },
    amount: ({ variant }, { record, rounding }) =>
      timesFactor(record.amount, UNIT_FACTORS[variant], rounding),
  }),
  wrongAmount({
    id: 'bill.min_charge',
    summary: 'A call that costs something costs at least this much, and the price book does not say so.',
    shape: { usd: usdParameter('0.001').describe('The least that a call costs.') },
    amount: ({ usd: text }, { record }) => {
      const floor = amountParameter(text);
      return record.amount > 0n && record.amount < floor ? floor : null;
    },
  }),
  wrongAmount({
    id: 'bill.free_model_charged',
    summary: 'A completed call of a model whose prices are 0 is charged.',
    shape: { usd: usdParameter('0.0001').describe('What the call is charged.') },
    amount: ({ usd: text }, { record }) =>
      record.result === 'completed' && record.amount === 0n ? amountParameter(text) : null,
  }),
  wrongRecord({
    id: 'bill.uncharged_success',
    summary: 'A completed call is settled at 0; its record still shows what was used.',
    change: ({ record }) =>
      record.status === 'settled' && record.result === 'completed' ? charged(record, 0n) : null,
  }),
  wrongAmount({
    id: 'bill.settle_above_reserve',
    summary: 'The amount is a multiple of what was reserved.',
    shape: { factor: factor('1.25').describe('By which the reserve is multiplied.') },
    amount: ({ factor: by }, { record, rounding }) => {
      const amount = timesFactor(record.reserved, by, rounding);
      return amount > record.reserved ? amount : null;
    },
  }),
];

function wrongRate(variant: z.infer<typeof rate>, books: CallBooks): PicoUsd | null {
  const { work, used } = books;
  if (work?.kind === 'image') {
    if (variant !== 'image_dearest' && variant !== 'image_cheapest') return null;
    const all = work.model.tiers.map(({ size, quality }) => books.price(used, { ...work, size, quality }));
    return variant === 'image_dearest' ? dearest(all) : (byAmount(all)[0] ?? null);
  }
  if (work?.kind !== 'text') return null;
  const right = effectivePrices(work.model, used.input, work.extras ?? NO_EXTRAS);
  const withPrices = (wrong: Partial<ModelTextPrices>): PicoUsd | null =>
    books.price(used, { ...work, model: atPrices(work.model, { ...right, ...wrong }) });
  switch (variant) {
    case 'output_at_input':
      return withPrices({ output: right.input });
    case 'input_at_output':
      return withPrices({ input: right.output });
    case 'cache_read_at_input':
      return withPrices({ cache_read: right.input });
    case 'cache_write_at_read':
      return withPrices({ cache_write: right.cache_read });
    case 'cache_counted_twice':
      return books.price({ ...used, input: used.input + used.cacheRead + used.cacheWrite });
    case 'image_dearest':
    case 'image_cheapest':
      return null;
  }
}

/** The charge of the call by another version of the book; null where that has no such price. */
function priceBy(books: CallBooks, version: PriceVersion): PicoUsd | null {
  const { work, used } = books;
  if (work === null) return null;
  const model = books.prices.modelOf(version, work.model.id);
  const other = model === null ? null : withModel(work, model);
  return other === null ? null : books.price(used, other);
}

function withModel(work: ChargedUnits, model: Model): ChargedUnits | null {
  if (work.kind === 'text' && model.kind === 'text') return { ...work, model };
  if (work.kind === 'image' && model.kind === 'image') return { ...work, model };
  return work.kind === 'video' && model.kind === 'video' ? { ...work, model } : null;
}

function dearest(amounts: readonly (PicoUsd | null)[]): PicoUsd | null {
  return byAmount(amounts).at(-1) ?? null;
}

/** Those there are, the least first. */
function byAmount(amounts: readonly (PicoUsd | null)[]): readonly PicoUsd[] {
  return amounts.filter((amount) => amount !== null).sort((a, b) => (a < b ? -1 : 1));
}
