import type * as z from 'zod';
import { requiredKeys } from './required-keys.ts';

/** The rule behind a standard zod issue, in words; a schema's own message wins over it. */
export function ruleText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeName(issue.expected)}${missingKeys(issue)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return boundText(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return boundText(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.pattern === undefined ? `must be a valid ${issue.format}` : `must match ${issue.pattern}`;
    case 'unrecognized_keys':
      return 'unknown key';
    case 'invalid_key':
      return 'invalid name of a key';
    default:
      return 'invalid value';
  }
}

/** Where a mapping is missing as a whole, what it must hold. */
function missingKeys({ input, inst }: z.core.$ZodRawIssue): string {
  const keys = input === undefined || input === null ? requiredKeys(inst).map(({ key }) => key) : [];
  return keys.length === 0 ? '' : ` with ${keys.join(', ')}`;
}

function typeName(expected: string): string {
  switch (expected) {
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    case 'int':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'array':
    case 'tuple':
      return 'a list';
    case 'object':
    case 'record':
      return 'a mapping';
    default:
      return expected;
  }
}

function boundText(origin: string, limit: number | bigint, comparison: string): string {
  if (origin === 'string') return `must have ${comparison} ${limit} characters`;
  if (origin === 'array')
    return `must have ${comparison} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  return `must be ${comparison} ${limit}`;
}
