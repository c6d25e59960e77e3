import fc from 'fast-check';
import type {
  Adjustment,
  Meter,
  ModelPrice,
  PriceBook,
  PriceComponent,
  Tiers,
} from '../contracts/price-book.ts';
import { ROUNDING_MODES } from '../core/rounding.ts';
import { plainAdjustment, plainModel } from './adapters/plain-model.ts';
import { type ChargeFacts, NO_FACTS, type Quantity } from './charge/charge-facts.ts';
import { bookOf, componentOf } from './price-book.test-support.ts';

const THRESHOLDS = [1_000, 2_000];

const price = fc.nat(9_999).map((hundredths) => `${Math.floor(hundredths / 100)}.${hundredths % 100}`);

const COMPONENTS = [
  componentOf('input_token', '0'),
  componentOf('output_token', '0'),
  componentOf('cache_read_token', '0'),
  componentOf('cache_write_token', '0'),
  componentOf('cache_write_token', '0', { ttl: '1h' }),
  componentOf('reasoning_token', '0', { mode: 'included' }),
  componentOf('image_input_token', '0'),
  componentOf('audio_output_token', '0'),
  componentOf('request', '0'),
];
const LINEAR: readonly Meter[] = ['input_token', 'output_token', 'cache_read_token', 'cache_write_token'];

/** Dearer, cheaper and stepped tiers of every basis; graduated ones restate only what has a place in their size. */
const tiers: fc.Arbitrary<Tiers> = fc
  .record({
    basis: fc.constantFrom('context_len', 'input', 'output'),
    mode: fc.constantFrom('cliff', 'graduated'),
    inclusive: fc.constantFrom('gt', 'ge'),
    prices: fc.array(fc.tuple(price, price), { minLength: 1, maxLength: 2 }),
  })
  .map(({ basis, mode, inclusive, prices }) => ({
    basis,
    mode,
    inclusive,
    thresholds: prices.map(([one, other], index) => ({
      above: String(THRESHOLDS[index]),
      components: [
        componentOf(basis === 'output' ? 'output_token' : 'input_token', one),
        ...(mode === 'cliff'
          ? [componentOf(basis === 'output' ? 'input_token' : 'output_token', other)]
          : []),
        ...(mode === 'graduated' && basis === 'context_len' ? [componentOf('cache_read_token', other)] : []),
      ],
    })),
  }));

const adjustment: fc.Arbitrary<Adjustment> = fc
  .record({
    kind: fc.constantFrom('multiplier', 'discount', 'markup', 'surcharge'),
    factor: fc.constantFrom('0.1', '0.5', '0.875', '1'),
    group: fc.constantFrom(null, 'vip', 'basic'),
    order: fc.nat(3),
  })
  .map(({ factor, ...more }) => plainAdjustment('a', factor, more));

/** A book of one text model `m` with any of the rules that change a charge. */
export const anyBook: fc.Arbitrary<PriceBook> = fc
  .record({
    prices: fc.array(price, { minLength: COMPONENTS.length, maxLength: COMPONENTS.length }),
    extras: fc.boolean(),
    stepped: fc.boolean(),
    tiers: fc.option(tiers),
    minimum: fc.option(fc.constantFrom('0.01', '0.5')),
    rounding: fc.record({
      scope: fc.constantFrom('record', 'component', 'none'),
      quantum: fc.constantFrom('0.00000001', '0.0001', '0.02'),
      mode: fc.constantFrom(...ROUNDING_MODES),
    }),
    adjustments: fc.array(adjustment, { maxLength: 2 }),
  })
  .map(({ prices, extras, stepped, tiers: tiered, minimum, rounding, adjustments }) => {
    const graduated = tiered?.mode === 'graduated';
    const components = COMPONENTS.map((component, index): PriceComponent => {
      const step = stepped && component.meter === 'output_token' && tiered === null;
      const unit_rounding = { mode: 'ceil', step: '100', at_least: '300' } as const;
      return { ...component, price: prices[index] ?? '0', ...(step ? { unit_rounding } : {}) };
    }).filter(({ meter, ttl }) => (extras && !graduated) || (LINEAR.includes(meter) && ttl === undefined));
    const least = { applies: 'nonzero_price', zero_tokens: 'zero' } as const;
    const model: ModelPrice = plainModel('m', 'text', components, {
      tiers: tiered,
      minimum: minimum === null ? null : { amount: minimum, ...least },
    });
    return bookOf([model], { rounding: { ...rounding, pre: [] }, adjustments });
  });

const count = fc.oneof(
  fc.constantFrom(0n, 1n, 299n, 300n, 999n, 1_000n, 1_001n, 1_999n, 2_000n, 2_001n),
  fc.bigInt({ min: 0n, max: 5_000n }),
);
const slack = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 3_000n }), fc.constant(null));

export interface Box {
  readonly point: ChargeFacts;
  /** Bounds with the point inside; null where nothing is told. */
  readonly around: ChargeFacts;
}

/** A call and what is known of it: counts to the digit, within bounds or not at all. */
export const anyBox: fc.Arbitrary<Box> = fc
  .record({
    counts: fc.array(count, { minLength: 8, maxLength: 8 }),
    slacks: fc.array(slack, { minLength: 8, maxLength: 8 }),
  })
  .map(({ counts, slacks }) => {
    const at = (index: number): bigint => counts[index] ?? 0n;
    const whole = {
      input: at(0) + at(1) + at(2) + at(3),
      output: at(4) + at(5) + at(6),
      cache_read: at(1),
      cache_write: at(2),
      cache_write_1h: at(7) < at(2) ? at(7) : at(2),
      image_input: at(3),
      reasoning: at(5),
      audio_output: at(6),
    };
    const bounded = Object.entries(whole).map(([name, value], index): [string, Quantity] => {
      const told = slacks[index] ?? null;
      const must = name === 'input' || name === 'output';
      if (told === null && !must) return [name, null];
      const room = told ?? 0n;
      return [name, room === 0n ? value : { lo: value > room ? value - room : 0n, hi: value + room }];
    });
    return {
      point: { ...NO_FACTS, ...whole },
      around: { ...NO_FACTS, ...Object.fromEntries(bounded) },
    };
  });
