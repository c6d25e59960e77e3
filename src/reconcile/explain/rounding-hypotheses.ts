import type { ModelPrice, PriceBook, PriceComponent, Rounding } from '../../contracts/price-book.ts';
import { type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { RoundingMode } from '../../core/rounding.ts';
import { divideRounded } from '../../core/rounding.ts';
import { rationalText, unitPrice } from '../../pricebook/charge/charge-term.ts';
import { withComponents, withEntries } from './changed-book.ts';
import { exactlySpan, type Hypothesis, ONE_ROW, RANK } from './hypothesis.ts';
import { lineHypothesis } from './line-hypothesis.ts';
import type { PricedRow } from './mismatched-row.ts';
import type { MismatchedCell } from './price-cell.ts';
import { roundingOf } from './rounding-of.ts';

const MODES: readonly RoundingMode[] = ['half_up', 'half_even', 'half_down', 'ceil', 'trunc'];

/** USD, from whole cents down; 0.000002 is the unit of one family of gateways. */
const QUANTA = [
  '0.01',
  '0.001',
  '0.0001',
  '0.00001',
  '0.000002',
  '0.000001',
  '0.0000001',
  '0.00000001',
  '0.000000001',
  '0.0000000001',
  '0.00000000001',
  '0.000000000001',
];

/** To which prices of single tokens are rounded, whatever amounts are rounded to. */
const TOKEN_QUANTUM = '0.00000001';

/** A quantum coarser than the book's meets the round figures of other faults, so one row never shows it. */
const COARSE: Hypothesis['needs'] = { rows: 2, amounts: 2, dues: 2 };
/** A coarse quantum explains too much unless the amount is at least so many of it. */
const LEAST_STEPS = 2n;
const PICO = 1_000_000_000_000n;

/** Another mode, quantum or place of rounding than the book says. */
export function roundingHypotheses({ book, model }: MismatchedCell): readonly Hypothesis[] {
  const rule = roundingOf(book, model);
  const own = parseAmount(rule.quantum) ?? 1n;
  const modes = [...new Set([rule.mode, ...MODES])].filter((mode) => mode !== 'floor');
  const quanta = [rule.quantum, ...QUANTA.filter((quantum) => parseAmount(quantum) !== own).reverse()];
  return [
    ...quanta.flatMap((quantum) =>
      modes
        .filter((mode) => quantum !== rule.quantum || mode !== rule.mode || rule.scope !== 'record')
        .map((mode) => wholeRecord(quantum, mode, own)),
    ),
    lineHypothesis({
      name: 'round:component',
      class: 'rounding_bias',
      rank: RANK.rounding,
      told: 'each part of the sum is rounded by itself',
      book: reRounded(book, model, { ...rule, scope: 'component' }),
    }),
    ...[...new Set([rule.quantum, TOKEN_QUANTUM])].map((quantum) =>
      lineHypothesis({
        name: quantum === rule.quantum ? 'round:token' : `round:token@${quantum}`,
        class: 'rounding_bias',
        rank: RANK.rounding,
        told: `the price of one token is rounded to ${quantum} USD first`,
        book: withComponents(book, model, (components) =>
          components.map((component) => pricedByRoundedUnit(component, parseAmount(quantum) ?? own)),
        ),
      }),
    ),
  ];
}

function wholeRecord(quantum: string, mode: RoundingMode, own: PicoUsd): Hypothesis {
  const step = parseAmount(quantum) ?? 1n;
  return {
    name: `round:${mode}@${quantum}`,
    class: 'rounding_bias',
    rank: RANK.rounding,
    confidence: 'proved',
    told: `amounts are rounded ${mode} to ${quantum} USD`,
    needs: step > own ? COARSE : ONE_ROW,
    general: true,
    charge({ exact, charged }: PricedRow) {
      if (exact === null || (step > own && charged < step * LEAST_STEPS)) return null;
      return exactlySpan(divideRounded(exact.num * PICO, exact.den * step, mode) * step);
    },
  };
}

function reRounded(book: PriceBook, model: string, rounding: Rounding): PriceBook {
  const changed = withEntries(book, model, (entry): ModelPrice => ({ ...entry, rounding: null }));
  return { ...changed, rounding };
}

/** Token prices only: a price of one image or call is no sum of rounded parts. */
function pricedByRoundedUnit(component: PriceComponent, quantum: PicoUsd): PriceComponent {
  if (!component.meter.endsWith('_token')) return component;
  const { num, den } = unitPrice(component);
  const rounded = divideRounded(num * PICO, den * quantum, 'half_up') * quantum;
  return { ...component, price: rationalText({ num: rounded, den: PICO }), per: '1' };
}
