import * as z from 'zod';
import { isTokenKind, type PaidKind } from '../core/call-kind.ts';
import { describeFound, type Problem } from './problem.ts';

const json = z.json();
type Json = z.infer<typeof json>;

/** Members of a request body that the user adds. */
export type BodyMembers = { readonly [key: string]: Json };

export const requestBody: z.ZodType<BodyMembers> = z.record(z.string().min(1), json);

const PROMPT = 'is set by Weighbridge: its prompts hold the marker that names a call';
const LIMIT = 'is set by max_tokens, by which the spend cap reckons';
const ONE = 'must stay 1, so that times and the spend cap are those of one answer';
const STREAM = 'is set by stream, the share of calls that stream';

/** Why a member that Weighbridge itself sets or measures by can't be the user's. */
const RESERVED: Readonly<Record<string, string>> = {
  model: 'is set by model, by which calls are priced and measured',
  messages: PROMPT,
  input: PROMPT,
  prompt: PROMPT,
  stream: STREAM,
  max_tokens: LIMIT,
  max_completion_tokens: LIMIT,
  max_output_tokens: LIMIT,
  n: ONE,
  best_of: ONE,
};

/** Keys of the traffic whose members image and video requests have too. */
const MEDIA_RESERVED: Readonly<Record<string, string>> = Object.fromEntries(
  ['size', 'quality', 'response_format', 'seconds', 'image'].map((key) => [key, `is set by the traffic`]),
);

/** Why a call of this kind can't have the member; null where it can. */
export function whyReserved(kind: PaidKind, member: string): string | null {
  const reserved = isTokenKind(kind) ? RESERVED : { ...RESERVED, ...MEDIA_RESERVED };
  return Object.hasOwn(reserved, member) ? (reserved[member] ?? null) : null;
}

/** Refuses members of `--extra`, once for all scenarios: the flag is one. */
export function refuseReserved(kind: PaidKind, extra: BodyMembers, problems: Problem[]): void {
  for (const member of Object.keys(extra)) {
    const rule = whyReserved(kind, member);
    if (rule === null || problems.some(({ at, path }) => at === '--extra' && path === member)) continue;
    problems.push({ at: '--extra', path: member, rule, found: null, suggestion: null });
  }
}

/** The second body over the first: objects are merged, all else is replaced. */
export function mergeBody(base: BodyMembers, over: BodyMembers): BodyMembers {
  return Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].flatMap((key) => {
      const [held, set] = [base[key], over[key]];
      if (set === undefined) return held === undefined ? [] : [[key, held]];
      return [[key, isMembers(held) && isMembers(set) ? mergeBody(held, set) : set]];
    }),
  );
}

/** Reads `--extra a.b=c`: the value is JSON where it parses, else text, and dots lead into objects. */
export function readExtra(texts: readonly string[], problems: Problem[]): BodyMembers {
  return texts.reduce<BodyMembers>((body, text) => {
    const [, path, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const keys = path?.split('.') ?? [];
    if (keys.length === 0 || keys.includes('')) {
      const rule = 'must be a key and a value such as temperature=0.7 or chat_template_kwargs.thinking=false';
      problems.push({ at: '--extra', path: '', rule, found: describeFound(text), suggestion: null });
      return body;
    }
    return mergeBody(body, nested(keys, extraValue(value)));
  }, {});
}

function nested([key, ...rest]: readonly string[], value: Json): { [key: string]: Json } {
  return key === undefined ? {} : { [key]: rest.length === 0 ? value : nested(rest, value) };
}

function extraValue(text: string): Json {
  try {
    return json.parse(JSON.parse(text));
  } catch {
    return text;
  }
}

function isMembers(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
