import type { z } from 'zod';
import type { BookText } from './book-text.ts';

const MOST_REASONS = 10;

/** The book as its schema has it, or what stands in the way with the path of each. */
export function parsedBy<T>(
  schema: z.ZodType<T>,
  value: BookText,
): { readonly data: T } | { readonly unreadable: readonly string[] } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { data: parsed.data };
  return {
    unreadable: parsed.error.issues
      .slice(0, MOST_REASONS)
      .map((issue) => `${issue.path.join('.') || 'the book'}: ${issue.message}`),
  };
}
