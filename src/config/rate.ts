import * as z from 'zod';
import { formatDecimal, normalise, parseDecimal } from '../core/decimal.ts';

const SECONDS_OF: Readonly<Record<string, bigint>> = { s: 1n, min: 60n, h: 3_600n };
const HIGHEST_MILLIRATE = 100_000_000n;
const RULE = 'must be a rate such as "4/s", "30/min" or "90/h"';

const SCALE_RULE = 'must be a positive decimal such as 0.5';

export type RateReading = { readonly millirate: number } | { readonly fault: string };

/** Starts per 1,000 s of a text such as `4/s`: always a whole number, never rounded. */
export function parseRate(text: string): RateReading {
  const match = /^(\d+(?:\.\d+)?)\s?\/\s?(s|min|h)$/.exec(text);
  const count = parseDecimal(match?.[1] ?? '');
  const seconds = SECONDS_OF[match?.[2] ?? ''];
  if (count === null || seconds === undefined) return { fault: RULE };
  return exactMillirate(count.digits * 1_000n, 10n ** BigInt(count.scale) * seconds);
}

/** A rate times a decimal factor, exact or refused. */
export function scaleRate(millirate: number, factor: string): RateReading {
  const decimal = parseDecimal(factor);
  if (decimal === null || decimal.digits <= 0n) return { fault: SCALE_RULE };
  return exactMillirate(BigInt(millirate) * decimal.digits, 10n ** BigInt(decimal.scale));
}

/** A factor over rates: positive decimal text. */
export const rateScale = z
  .string({ error: 'must be a positive decimal such as "0.5", quoted' })
  .refine((text) => (parseDecimal(text)?.digits ?? 0n) > 0n, { error: SCALE_RULE });

/** `2500` → `2.5/s`. */
export function formatRate(millirate: number): string {
  return `${formatDecimal(normalise({ digits: BigInt(millirate), scale: 3 }))}/s`;
}

function exactMillirate(num: bigint, den: bigint): RateReading {
  const whole = num / den;
  if (whole > HIGHEST_MILLIRATE) return { fault: 'must be at most 100000/s' };
  if (num % den === 0n) return { millirate: Number(whole) };
  const near = [Number(whole), Number(whole) + 1].filter((rate) => rate > 0).map(formatRate);
  return {
    fault: `must be a whole number of calls in 1000 s; the nearest ${near.length === 1 ? 'is' : 'are'} ${near.join(' and ')}`,
  };
}

/** A rate in starts per 1,000 s, 0 allowed (a stage may pause). */
export const rate = z.string({ error: RULE }).transform((text, context) => {
  const reading = parseRate(text);
  if ('millirate' in reading) return reading.millirate;
  context.addIssue({ code: 'custom', message: reading.fault });
  return z.NEVER;
});
