import * as z from 'zod';
import { AMOUNT_SCALE, type PicoUsd } from '../../../core/amount.ts';
import {
  type Decimal,
  formatDecimal,
  normalise,
  parseDecimal,
  parseNumberText,
} from '../../../core/decimal.ts';
import { rationalOf } from '../../../core/rational.ts';
import { roundToQuantum } from '../../../core/rounding.ts';
import type { CallBooks } from '../../charging/call-books.ts';
import { atPrices, effectivePrices, NO_EXTRAS } from '../../charging/text-extras.ts';
import { defineFault, type FaultDefinition, plainFault } from '../../hooks/fault-definition.ts';
import type { RoundingRule } from '../../prices/rounding-rule.ts';
import type { AmountWriter } from '../../readings/served-forms.ts';
import { paidCall, textCall } from '../hit.ts';
import { charged, wrongRecordBy } from './wrong-record.ts';

const WRONG_RULES = {
  half_even: { decimals: 8, mode: 'half_even' },
  truncate: { decimals: 8, mode: 'trunc' },
  up: { decimals: 8, mode: 'ceil' },
  six_places: { decimals: 6, mode: 'half_up' },
} as const satisfies Record<string, RoundingRule>;

/** 10⁻⁸ USD a token as USD per 1,000,000 tokens. */
const TOKEN_QUANTUM: Decimal = { digits: 1n, scale: 2 };
const MILLION = 1_000_000;

export const billAmountRounding = defineFault({
  id: 'bill.amount_rounding',
  summary:
    'The amount is rounded by another rule than the book tells; fires only where that makes a difference.',
  charge: 'wrong',
  shape: {
    variant: z
      .enum(['half_even', 'truncate', 'up', 'six_places', 'per_token', 'float'])
      .default('truncate')
      .describe(
        'Rule of the amount; per_token: the price of each token is rounded instead; float: binary arithmetic, served with all its digits.',
      ),
  },
  applies: textCall,
  arm: ({ variant }, { fire }) => ({
    booked(books) {
      const { record } = books;
      if (record.status !== 'settled') return;
      if (variant === 'float') {
        // Units are whole, whatever they were computed by.
        if (books.rounding.steps !== undefined) return;
        const text = floatText(books);
        if (
          text === null ||
          text === formatDecimal(normalise({ digits: record.amount, scale: AMOUNT_SCALE }))
        )
          return;
        const delta = books.amend(charged(record, cutOff(text)));
        books.forms.set(record.id, (own, field) => (field === 'amount' ? continued(own, text) : own));
        fire(delta);
        return;
      }
      const amount =
        variant === 'per_token'
          ? byRoundedPrices(books)
          : books.price(books.used, books.work, WRONG_RULES[variant]);
      if (amount !== null && amount !== record.amount) fire(books.amend(charged(record, amount)));
    },
  }),
});

function byRoundedPrices(books: CallBooks): PicoUsd | null {
  const { work, used } = books;
  if (work?.kind !== 'text') return null;
  const { model, extras = NO_EXTRAS } = work;
  const prices = effectivePrices(model, used.input, extras);
  const { input, output, cache_read, cache_write, reasoning } = prices;
  const rounded = atPrices(model, {
    input: perToken(input),
    output: perToken(output),
    cache_read: cache_read === null ? null : perToken(cache_read),
    cache_write: cache_write === null ? null : perToken(cache_write),
    ...(reasoning === undefined ? {} : { reasoning: perToken(reasoning) }),
  });
  return books.price(used, { ...work, model: rounded });
}

function perToken(perMillion: string): string {
  const price = parseDecimal(perMillion);
  if (price === null) throw new RangeError(`price is not a plain decimal: ${perMillion}`);
  return formatDecimal(normalise(roundToQuantum(rationalOf(price), TOKEN_QUANTUM, 'half_up')));
}

/** The charge as a chain of doubles gives it, in plain digits. */
function floatText({ work, used }: CallBooks): string | null {
  if (work?.kind !== 'text') return null;
  const { model, extras = NO_EXTRAS } = work;
  const prices = effectivePrices(model, used.input, extras);
  const { input, output, cache_read, cache_write, reasoning = output } = prices;
  const thought = Math.min(extras.reasoning, used.output);
  const [tool] = model.tools ?? [];
  const of = (count: number, price: string): number => count * (Number(price) / MILLION);
  const sum =
    of(used.input - used.cacheRead - used.cacheWrite, input) +
    of(used.cacheRead, cache_read ?? input) +
    of(used.cacheWrite, cache_write ?? input) +
    of(used.output - thought, output) +
    of(thought, reasoning) +
    extras.toolCalls * Number(tool?.price ?? 0);
  const exact = parseNumberText(String(sum));
  return exact === null ? null : formatDecimal(normalise(exact));
}

/** An amount as it would be served, which may hold a refund too, with the digits of the float that an amount lacks. */
function continued(own: string, float: string): string {
  const rest = float.split('.')[1]?.slice(AMOUNT_SCALE) ?? '';
  const [whole, fraction = ''] = own.split('.');
  return rest === '' ? own : `${whole}.${fraction.padEnd(AMOUNT_SCALE, '0')}${rest}`;
}

/** An amount text at 12 decimals, the rest cut off. */
function cutOff(text: string): PicoUsd {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.slice(0, AMOUNT_SCALE).padEnd(AMOUNT_SCALE, '0')}`);
}

/** Right amounts in a form that is none of the interface, in every read of the record, and negative ones. */
export const AMOUNT_FORM_FAULTS: readonly FaultDefinition[] = [
  formFault(
    'bill.sci_notation',
    'Amounts of a record are written with an exponent, such as 5.1e-6.',
    scientific,
  ),
  formFault('bill.number_not_string', 'Amounts of a record are JSON numbers.', Number),
  formFault('bill.comma', 'Amounts of a record have a decimal comma.', (text) => text.replace('.', ',')),
  wrongRecordBy({
    id: 'bill.negative',
    summary: 'The amount of a record is negative, and credit is given for it; or its input tokens are.',
    shape: {
      variant: z.enum(['amount', 'input_tokens']).default('amount').describe('What is negative.'),
    },
    change: ({ variant }, { record }) => {
      if (record.status !== 'settled') return null;
      const { amount, usage } = record;
      return variant === 'amount'
        ? charged(record, -amount)
        : { usage: { ...usage, input: usage.input === 0 ? 0 : -usage.input } };
    },
  }),
];

function formFault(id: string, summary: string, writer: AmountWriter): FaultDefinition {
  return plainFault({
    id,
    summary,
    applies: paidCall,
    arm: ({ fire }) => ({
      booked({ forms, record }) {
        forms.set(record.id, writer);
        fire();
      },
    }),
  });
}

function scientific(text: string): string {
  const value = parseDecimal(text);
  if (value === null || value.digits === 0n) return text;
  const digits = value.digits.toString().replace('-', '').replace(/0+$/, '');
  const exponent = value.digits.toString().replace('-', '').length - 1 - value.scale;
  const sign = value.digits < 0n ? '-' : '';
  return `${sign}${digits.slice(0, 1)}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e${exponent}`;
}
