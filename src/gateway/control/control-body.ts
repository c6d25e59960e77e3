import * as z from 'zod';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { ControlError } from './control-error.ts';

/** 10^12 USD. */
const MOST_USD = 10n ** 24n;

/** USD as decimal text, below 10^12 USD. */
export const usdField = z
  .string()
  .refine((text) => parseAmount(text) !== null, { error: 'must be USD as decimal text' })
  .transform((text) => parseAmount(text) ?? 0n)
  .refine((amount) => amount < MOST_USD && amount > -MOST_USD, { error: 'must be below 10^12 USD' });

/** USD above nothing. */
export const someUsd = usdField.refine((amount) => amount > 0n, {
  error: `must be more than ${formatAmount(0n)}`,
});

/** A JSON body by its schema; an empty one is `{}`. Throws ControlError 400 that names what was expected. */
export function controlBody<T>(schema: z.ZodType<T>, body: unknown): T {
  return parsed(schema, jsonOf(String(body ?? '')), 'invalid_body');
}

export function controlQuery<T>(schema: z.ZodType<T>, query: unknown): T {
  return parsed(schema, query, 'invalid_query');
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, code: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ControlError(400, code, z.prettifyError(result.error));
}

function jsonOf(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ControlError(
      400,
      'invalid_body',
      `expected JSON: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
