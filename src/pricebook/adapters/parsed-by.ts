import type { z } from 'zod';
import { schemaRule } from './schema-rule.ts';

const MOST_REASONS = 10;

/**
 * The book as its schema has it, or what stands in the way: the path of each, the rule and what was found. `at`: line and
 * column of a path, where the text tells them.
 */
export function parsedBy<T>(
  schema: z.ZodType<T>,
  value: unknown,
  at?: (path: readonly PropertyKey[]) => string,
): { readonly data: T } | { readonly unreadable: readonly string[] } {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { data: parsed.data };
  return {
    unreadable: parsed.error.issues.slice(0, MOST_REASONS).map((issue) => {
      const place = at === undefined ? '' : `${at(issue.path)}: `;
      return `${place}${issue.path.join('.') || 'the book'}: ${schemaRule(issue, schema)}`;
    }),
  };
}
