import { isDeeperThan } from './json-depth.ts';

/** As deep as the embedded gateway reads requests: no document of the interface comes near. */
const MOST_LEVELS = 1_000;

/** The value of a JSON text; undefined, which no JSON text is, for what is none or goes deeper than 1,000 levels. */
export function jsonOf(text: string): unknown {
  if (isDeeperThan(MOST_LEVELS, text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
