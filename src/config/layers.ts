import type * as z from 'zod';
import { describeFound, type Problem } from './problem.ts';
import type { Origin } from './resolved-config.ts';
import { ruleText } from './rule-text.ts';

/** Takes the value of a key of a section, noting who set it. */
export type Take<S> = <K extends string & keyof S, F>(key: K, fallback: F) => NonNullable<S[K]> | F;

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

  /** Takes keys of one section of the file; `prefix` is what stands before them in a path, such as `http.`. */
  section<S extends object>(prefix: string, file: S | undefined): Take<S> {
    return <K extends string & keyof S, F>(key: K, fallback: F) =>
      this.take<NonNullable<S[K]> | F>(`${prefix}${key}`, { file: file?.[key] ?? undefined }, fallback);
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

/** Reads an entry that flags stand for; `placeOf` names the flag behind a path. A fault becomes a problem. */
export function readEntry<T>(
  entry: unknown,
  schema: z.ZodType<T>,
  placeOf: (path: readonly PropertyKey[]) => string,
  problems: Problem[],
): T | null {
  const result = schema.safeParse(entry, { error: ruleText });
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues)
    problems.push({ at: placeOf(path), path: '', rule: message, found: null, suggestion: null });
  return null;
}
