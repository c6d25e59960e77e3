import { compareDecimal, parseNumberText } from '../core/decimal.ts';
import { isDeeperThan } from '../text/json-depth.ts';

export interface LosslessJson {
  readonly value: unknown;
  /** How many numbers are kept as their source text because a double would have changed them. */
  readonly numbersAsText: number;
}

/**
 * Where a number may stand that a double changes: 16 digits and point or more, or an exponent. Up to 15 digits come
 * back as they were, and a reviver costs ten times what the parsing does.
 */
const MAY_LOSE = /(?:^|[[:,\s])-?(?:[\d.]{16}|[\d.]+[eE])/;

/** Deeper than any record. */
const MOST_LEVELS = 200;

/**
 * JSON.parse without a rounded number: one that a double cannot hold to the last digit becomes a string of its
 * source text (an id of 2^53 + 1, an amount served as a number of 20 digits).
 * Throws SyntaxError like JSON.parse, and for what goes deeper than 200 levels.
 */
export function parseLosslessJson(text: string): LosslessJson {
  if (isDeeperThan(MOST_LEVELS, text))
    throw new SyntaxError(`expected at most ${MOST_LEVELS} levels, found more`);
  if (!MAY_LOSE.test(text)) return { value: JSON.parse(text), numbersAsText: 0 };
  let numbersAsText = 0;
  function revive(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
    if (typeof value !== 'number') return value;
    const source = context?.source;
    if (source === undefined || isHeldExactly(value, source)) return value;
    numbersAsText += 1;
    return source;
  }
  const value: unknown = JSON.parse(text, revive);
  return { value, numbersAsText };
}

function isHeldExactly(value: number, source: string): boolean {
  const served = parseNumberText(source);
  const held = parseNumberText(String(value));
  return served !== null && held !== null && compareDecimal(served, held) === 0;
}
