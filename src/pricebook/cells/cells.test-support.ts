import fc from 'fast-check';
import type {
  Adjustment,
  Minimum,
  ModelPrice,
  PriceBook,
  PriceComponent,
} from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import { plainAdjustment, plainModel } from '../adapters/plain-model.ts';
import { contextOf } from '../charge/charge-context.ts';
import { type ChargeFacts, NO_FACTS } from '../charge/charge-facts.ts';
import { evaluateCharge } from '../charge/evaluate-charge.ts';
import { bookOf, componentOf } from '../price-book.test-support.ts';
import { compileCells } from './compile-cells.ts';
import type { CellUnits, PriceCell } from './price-cell.ts';

/** A row that a cell prices, and what the book charges for it. */
export interface CellRow {
  readonly cell: PriceCell;
  readonly units: CellUnits;
  readonly charge: PicoUsd;
  /** The exact charge lies half way between two multiples of the quantum. */
  readonly tie: boolean;
}

const THRESHOLDS = [1_000n, 200_000n];
const QUANTA = ['0.00000001', '0.000001', '0.000002', '0.0000005'];

/** Counts about which rules change, and any others. */
const count = fc.oneof(
  fc.constantFrom(
    0n,
    0n,
    1n,
    2n,
    3n,
    ...THRESHOLDS.flatMap((edge) => [edge - 1n, edge, edge + 1n]),
    10n ** 12n,
  ),
  fc.bigInt({ min: 0n, max: 5_000_000n }),
);

/** Prices for a million or for one: half a quantum and one and a half among them, for ties. */
const price = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('0', '0.005', '0.015', '0.25', '0.5', '1', '1.5', '3') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(99), fc.nat(999_999))
      .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`),
  },
);

const small = fc.nat(20).map((units) => `0.00000${String(units).padStart(2, '0')}5`);

const minimum: fc.Arbitrary<Minimum | null> = fc.option(
  fc.record({
    amount: fc.constantFrom('0.000002', '0.0000055', '0.01'),
    applies: fc.constantFrom('nonzero_price', 'always'),
    zero_tokens: fc.constantFrom('zero', 'minimum'),
  }),
);

const adjustment: fc.Arbitrary<Adjustment> = fc
  .record({
    kind: fc.constantFrom('multiplier', 'discount', 'markup', 'surcharge'),
    factor: fc.constantFrom('0', '0.1', '0.5', '0.875', '1'),
    order: fc.nat(3),
    model: fc.constantFrom(null, 'm', 'other'),
  })
  .map(({ factor, ...more }) =>
    plainAdjustment('a', more.kind === 'surcharge' ? `0.00000${factor.replace('.', '')}` : factor, more),
  );

const tokens = ['input_token', 'output_token', 'cache_read_token', 'cache_write_token'] as const;

const textModel: fc.Arbitrary<ModelPrice> = fc
  .record({
    base: fc.array(price, { minLength: 4, maxLength: 4 }),
    cached: fc.boolean(),
    request: fc.option(small),
    above: fc.array(fc.tuple(price, price), { maxLength: 2 }),
    inclusive: fc.constantFrom('gt', 'ge'),
    minimum,
  })
  .map(({ base, cached, request, above, inclusive, minimum: least }) =>
    plainModel(
      'm',
      'text',
      [
        ...tokens.slice(0, cached ? 4 : 2).map((meter, index) => componentOf(meter, base[index] ?? '0')),
        ...(request === null ? [] : [componentOf('request', request)]),
      ],
      {
        minimum: least,
        tiers: {
          basis: 'context_len',
          mode: 'cliff',
          inclusive,
          thresholds: above.map(([input, output], index) => ({
            above: String(THRESHOLDS[index]),
            components: [componentOf('input_token', input), componentOf('output_token', output)],
          })),
        },
      },
    ),
  );

const imageModel: fc.Arbitrary<ModelPrice> = fc
  .record({ low: small, high: price, request: fc.option(small), minimum })
  .map(({ low, high, request, minimum: least }) => {
    const components: PriceComponent[] = [
      componentOf('image', low, { size: 's', quality: 'low' }),
      componentOf('image', high, { size: 's', quality: 'high' }),
    ];
    if (request !== null) components.push(componentOf('request', request));
    return plainModel('m', 'image', components, { minimum: least });
  });

const book: fc.Arbitrary<PriceBook> = fc
  .record({
    model: fc.oneof({ weight: 4, arbitrary: textModel }, { weight: 1, arbitrary: imageModel }),
    quantum: fc.constantFrom(...QUANTA),
    mode: fc.constantFrom(...ROUNDING_MODES),
    adjustments: fc.oneof(fc.constant([]), fc.array(adjustment, { maxLength: 3 })),
  })
  .map(({ model, quantum, mode, adjustments }) =>
    bookOf([model], { rounding: { scope: 'record', quantum, mode, pre: [] }, adjustments }),
  );

const row = fc.record({
  plain: count,
  read: count,
  write: count,
  out: count,
  images: fc.nat(20).map(BigInt),
});

/** Random books that compile, with rows of theirs. */
export const cellRows: fc.Arbitrary<readonly CellRow[]> = fc
  .record({ priced: book, rows: fc.array(row, { minLength: 12, maxLength: 12 }) })
  .map(({ priced, rows }) => {
    const { cells, slow } = compileCells(priced, { models: ['m'], group: null, key_fp: null });
    if (slow[0] !== undefined) throw new Error(`no cell: ${slow[0].reason}`);
    return rows.map((units) => cellRow(priced, cells, units));
  });

function cellRow(
  priced: PriceBook,
  cells: readonly PriceCell[],
  { plain, read, write, out, images }: typeof row extends fc.Arbitrary<infer Row> ? Row : never,
): CellRow {
  const image = priced.models[0]?.kind === 'image';
  const endpoint = image ? 'image' : 'chat';
  const size = plain + read + write;
  const facts: ChargeFacts = image
    ? { ...NO_FACTS, images, size: 's', quality: 'high' }
    : { ...NO_FACTS, input: size, output: out, cache_read: read, cache_write: write };
  const charge = evaluateCharge(priced, facts, contextOf('m', endpoint));
  if ('unpriced' in charge || charge.rounded === null || charge.exact === null) {
    throw new Error('the book does not price its row');
  }
  const cell = cells.find(
    (each) =>
      each.endpoint === endpoint &&
      (each.quality === null || each.quality === 'high') &&
      (image || (each.len_from <= size && (each.len_to === null || size < each.len_to))),
  );
  if (cell === undefined) throw new Error(`no cell for ${size}`);
  const halves = 2n * charge.exact.num * 10n ** 12n;
  const unit = charge.exact.den * cell.quantum_pico;
  return {
    cell,
    units: image
      ? { n_plain: 0n, n_read: 0n, n_write: 0n, n_out: 0n, n_unit: images }
      : { n_plain: plain, n_read: read, n_write: write, n_out: out, n_unit: 0n },
    charge: charge.rounded,
    tie: halves % unit === 0n && (halves / unit) % 2n === 1n,
  };
}
