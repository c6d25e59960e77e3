import type { CallUsage } from '../contracts/ledger-lines.ts';
import type { TextKind } from '../core/call-kind.ts';
import { asInteger, asObject, type JsonObject } from './json-fields.ts';

/** Member names of a format's usage object; details stand one level deeper. */
const NAMES = {
  chat: {
    input: 'prompt_tokens',
    output: 'completion_tokens',
    inputDetails: 'prompt_tokens_details',
    outputDetails: 'completion_tokens_details',
  },
  responses: {
    input: 'input_tokens',
    output: 'output_tokens',
    inputDetails: 'input_tokens_details',
    outputDetails: 'output_tokens_details',
  },
} as const;

/** What the target says a call used; null for a usage that is no object or an empty one (some gateways send {} first). */
export function readUsage(kind: TextKind, raw: unknown): CallUsage | null {
  const usage = asObject(raw);
  if (usage === null || Object.keys(usage).length === 0) return null;
  return kind === 'messages' ? readMessagesUsage(usage) : readNamedUsage(usage, NAMES[kind]);
}

function readNamedUsage(usage: JsonObject, names: (typeof NAMES)[keyof typeof NAMES]): CallUsage {
  const input = asObject(usage[names.inputDetails]);
  const output = asObject(usage[names.outputDetails]);
  return {
    input: asInteger(usage[names.input]),
    output: asInteger(usage[names.output]),
    cache_read: asInteger(input?.['cached_tokens']),
    cache_write: asInteger(input?.['cache_write_tokens']),
    reasoning: asInteger(output?.['reasoning_tokens']),
    raw: usage,
  };
}

/** In this format alone `input_tokens` leaves the cache out: it is put in. */
function readMessagesUsage(usage: JsonObject): CallUsage {
  const bare = asInteger(usage['input_tokens']);
  const cacheRead = asInteger(usage['cache_read_input_tokens']);
  const cacheWrite = asInteger(usage['cache_creation_input_tokens']);
  return {
    input: bare === null ? null : bare + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: asInteger(usage['output_tokens']),
    cache_read: cacheRead,
    cache_write: cacheWrite,
    reasoning: null,
    raw: usage,
  };
}

/** Counts are cumulative: a later one overwrites and is never added; a null takes nothing back. */
export function mergeUsage(base: JsonObject | null, update: unknown): JsonObject | null {
  const later = asObject(update);
  if (later === null) return base;
  const merged = new Map(Object.entries(base ?? {}));
  for (const [name, value] of Object.entries(later)) {
    if (value !== null || !merged.has(name)) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}
