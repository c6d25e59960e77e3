import type * as z from 'zod';
import { invalidRequest } from './api-error.ts';

/** Reads a request body by its schema; throws ApiError 400 that names the first field at fault. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw invalidRequest('Invalid request body');
  const field = issue.path.map(String).join('.');
  throw invalidRequest(
    field === ''
      ? `Invalid request body: ${issue.message}`
      : `Invalid value for '${field}': ${issue.message}`,
  );
}
