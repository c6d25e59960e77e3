import type { Finding } from '../../contracts/finding.ts';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { bookDocument, recordOf, textRow } from '../reconcile.test-support.ts';

export const MODEL = 'm';

/** Text at $3 in, $15 out, $0.3 read, $3.75 write a million; the prices of other models as given. */
export function documentOf(
  models: readonly Readonly<Record<string, unknown>>[] = [],
  changes: Readonly<Record<string, unknown>> = {},
): unknown {
  return bookDocument({ models: [textModel(MODEL), ...models], ...changes });
}

export function textModel(
  id: string,
  prices: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    id,
    kind: 'text',
    unit: 'per_1m_tokens',
    input: '3',
    output: '15',
    cache_read: '0.3',
    cache_write: '3.75',
    max_output_tokens: 4000,
    ...prices,
  };
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write: number;
}

/** Tokens of the `index`th call: all differ, and no count divides another. */
export function tokensOf(index: number): Tokens {
  return { input: 1009 + 37 * index, output: 101 + 13 * index, read: 211 + 7 * index, write: 53 + 3 * index };
}

/** 10⁻¹² USD for prices a million in 10⁻⁶ USD: the sum of units times price. */
export function pico(...terms: readonly (readonly [units: number, price: number])[]): bigint {
  return terms.reduce((sum, [units, price]) => sum + BigInt(units) * BigInt(Math.round(price * 1e6)), 0n);
}

/** Rounded half up to a multiple of a quantum in 10⁻¹² USD. */
export function rounded(amount: bigint, quantum = 10_000n): bigint {
  return ((2n * amount + quantum) / (2n * quantum)) * quantum;
}

/** What the book of `documentOf` charges. */
export function dueOf({ input, output, read, write }: Tokens): bigint {
  return rounded(pico([input - read - write, 3], [read, 0.3], [write, 3.75], [output, 15]));
}

/** A call and its record at an amount of 10⁻¹² USD. */
export function pairOf(
  name: string,
  tokens: Tokens,
  amount: bigint,
  changes: { readonly row?: Partial<CallRow>; readonly record?: Partial<UsageRecord> } = {},
): { readonly row: CallRow; readonly record: UsageRecord } {
  const reserved = amount > 1_000_000_000_000n ? amount : 1_000_000_000_000n;
  return {
    row: textRow(name, {
      model: MODEL,
      response_model: MODEL,
      usage: {
        input: tokens.input,
        output: tokens.output,
        cache_read: tokens.read,
        cache_write: tokens.write,
        reasoning: null,
        raw: {},
      },
      ...changes.row,
    }),
    record: recordOf(name, {
      model: MODEL,
      amount: formatAmount(amount),
      reserved_amount: formatAmount(reserved),
      refunded_amount: formatAmount(reserved - amount),
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      cache_read_tokens: tokens.read,
      cache_write_tokens: tokens.write,
      ...changes.record,
    }),
  };
}

/** `class rule rows` of findings that stand alone or over others, and how many stand beneath. */
export function outline(findings: readonly Finding[]): readonly string[] {
  const top = findings.filter(({ group }) => group === null);
  return top.map(({ class: named, rule, rows }) => `${named} ${rule} ${rows}`).sort();
}

export function sumOfDeltas(findings: readonly Finding[]): bigint {
  return findings.reduce((sum, { delta_exact }) => sum + (parseAmount(delta_exact ?? '') ?? 0n), 0n);
}
