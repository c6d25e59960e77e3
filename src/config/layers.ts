import type * as z from 'zod';
import { describeFound, type Problem } from './problem.ts';
import type { Origin } from './resolved-config.ts';
import { ruleText } from './rule-text.ts';

/** Takes each value from the first layer that has it, and notes which. */
export class Layers {
  readonly origins: Record<string, Origin> = {};

  take<T>(
    path: string,
    layers: { flag?: T | undefined; env?: T | undefined; file?: T | undefined },
    fallback: T,
  ): T {
    const origin = (['flag', 'env', 'file'] as const).find((layer) => layers[layer] !== undefined);
    this.origins[path] = origin ?? 'default';
    return (origin === undefined ? undefined : layers[origin]) ?? fallback;
  }
}

/** Reads the text of a flag or environment variable; a fault becomes a problem and the value is left out. */
export function readSetting<T>(
  at: string,
  text: string | undefined,
  schema: z.ZodType<T>,
  problems: Problem[],
): T | undefined {
  if (text === undefined || text === '') return undefined;
  const result = schema.safeParse(text, { error: ruleText });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    problems.push({ at, path: '', rule: issue.message, found: describeFound(text), suggestion: null });
  }
  return undefined;
}
