import * as z from 'zod';
import { parseAmount } from '../core/amount.ts';
import { duration, parseDuration } from './duration.ts';
import { wholeBetween } from './key-schemas.ts';
import { moneyText } from './money-text.ts';
import { SHORTEST } from './probe-defaults.ts';

export const paidEvery = duration.refine((ms) => ms >= SHORTEST.paid_ms, {
  error: 'must be 10s or longer: each run is paid',
});

const FREE_RULE = 'must be a duration of 5s or longer, such as 1m, or off';
export const freeEvery = z.string({ error: FREE_RULE }).transform((text, context): number | 'off' => {
  if (text === 'off') return text;
  const ms = parseDuration(text);
  if (ms !== null && ms >= SHORTEST.free_ms) return ms;
  context.addIssue({ code: 'custom', message: FREE_RULE });
  return z.NEVER;
});

export const prompt = z.string().min(1).max(20_000);
export const maxTokens = wholeBetween(1, 100_000);
export const size = z
  .string()
  .regex(/^(auto|\d{2,5}x\d{2,5})$/, { error: 'must be a size such as "1024x1024"' });
export const quality = z.enum(['auto', 'low', 'medium', 'high']);
export const seconds = wholeBetween(1, 600);
export const amountValue = (text: string): bigint => parseAmount(text) ?? 0n;
// What is no amount, or negative, has been told already.
export const usdValue = moneyText.refine((text) => parseAmount(text) !== 0n, {
  error: 'must be more than 0',
});
