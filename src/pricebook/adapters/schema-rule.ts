import { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  boolean: 'true or false',
};

/** The rule that a book or a mapping breaks, in words, with the keys or values that may stand there. */
export function schemaRule(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `expected one of ${keysAt(schema, issue.path).join(', ')}, found ${issue.keys.join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined
        ? 'expected this key, found none'
        : `expected ${TYPES[issue.expected] ?? issue.expected}${allowed(keysAt(schema, issue.path))}, found ${found(issue.input)}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}, found ${found(issue.input)}`;
    case 'invalid_union':
      return issue.errors.length === 0
        ? 'expected another value'
        : issue.errors
            .flatMap(([first]) => first ?? [])
            .map((inner) => schemaRule({ ...inner, path: [...issue.path, ...inner.path] }, schema))
            .join(', or ');
    case 'too_small':
      return 'expected at least one entry, found none';
    case 'custom':
      return issue.message;
    default:
      return `expected another value, found ${found(issue.input)}`;
  }
}

function allowed(keys: readonly string[]): string {
  return keys.length === 0 ? '' : ` with ${keys.join(', ')}`;
}

function found(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : JSON.stringify(value);
}

/** The keys that may stand at a path of the file. */
function keysAt(schema: z.core.$ZodType, at: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return keysAt(schema.unwrap(), at);
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => keysAt(option, at));
  }
  const [key, ...rest] = at;
  if (schema instanceof z.ZodArray) return key === undefined ? [] : keysAt(schema.element, rest);
  if (schema instanceof z.ZodRecord) return key === undefined ? [] : keysAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(schema.shape);
  const held: z.core.$ZodType | undefined = schema.shape[String(key)];
  return held === undefined ? [] : keysAt(held, rest);
}
