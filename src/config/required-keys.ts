import * as z from 'zod';

/** The keys that a mapping cannot do without: each with its value where only one is allowed. */
export function requiredKeys(schema: z.core.$ZodRawIssue['inst']): { key: string; only: string | null }[] {
  if (!(schema instanceof z.core.$ZodObject)) return [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema._zod.def.shape;
  return Object.entries(shape)
    .filter(([, inner]) => inner._zod.optin !== 'optional')
    .map(([key, inner]) => ({ key, only: onlyValue(inner) }));
}

function onlyValue(schema: z.core.$ZodType): string | null {
  if (!(schema instanceof z.core.$ZodLiteral) || schema._zod.def.values.length !== 1) return null;
  return String(schema._zod.def.values[0]);
}
