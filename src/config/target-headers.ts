import * as z from 'zod';
import { isReference } from './credential-reference.ts';
import { describeFound, type Problem } from './problem.ts';

/** Headers that go with every request: in lower case, with a text, `env:NAME` or `file:PATH` each. */
export type HeaderReferences = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;

/** Weighbridge sets these itself: they say what is sent and what is read. */
const OWN = [
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'user-agent',
];
const SECRET_NAME = /authori[sz]ation|cookie|api-?key|token|secret|password|credential/i;
const SECRET_VALUE = /^(?:bearer|basic|token)\s|\bsk-[\w-]{4,}/i;

const NAME_RULE = 'must be the name of a header, such as x-tenant';
const FLAG_RULE = "must be 'Name: value', with a colon";
const OWN_RULE = 'is set by Weighbridge itself';
const VALUE_RULE = 'must be one line of visible ASCII, or env:NAME, or file:PATH';
const SECRET_RULE =
  'looks like a credential, which never stands here: give env:NAME or file:PATH (what was found is not shown)';

/** Why the header cannot be sent so; null where it can. `ofName`: the rule is about the name. */
export function headerFault(
  name: string,
  value: string,
): { readonly rule: string; readonly ofName: boolean } | null {
  if (!NAME.test(name)) return { rule: NAME_RULE, ofName: true };
  if (OWN.includes(name.toLowerCase())) return { rule: OWN_RULE, ofName: true };
  if (isReference(value)) return null;
  if (SECRET_NAME.test(name) || SECRET_VALUE.test(value)) return { rule: SECRET_RULE, ofName: false };
  return VALUE.test(value) && !/^(?:env|file):/.test(value) ? null : { rule: VALUE_RULE, ofName: false };
}

/** The key `target.headers`. What stands there may be a secret, and is never shown. */
export const targetHeaders = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const fault = headerFault(name, value);
    if (fault === null) continue;
    context.addIssue({ code: 'custom', path: [name], message: fault.rule, params: { secret: true } });
  }
});

/** Reads `--header 'Name: value'`. A value that is wrong is not shown. */
export function readHeaderFlags(texts: readonly string[], problems: Problem[]): HeaderReferences {
  return lowerCased(
    texts.flatMap((text) => {
      const [, name = '', value = ''] = /^([^:\s]+):\s*(.*?)\s*$/s.exec(text) ?? [];
      const fault = name === '' ? { rule: FLAG_RULE, ofName: true } : headerFault(name, value);
      if (fault === null) return [[name, value]];
      const found = fault.ofName && name !== '' ? describeFound(name) : null;
      problems.push({ at: '--header', path: '', rule: fault.rule, found, suggestion: null });
      return [];
    }),
  );
}

/** Names of headers differ in their letters alone: of two that are alike the last holds. */
export function lowerCased(headers: readonly (readonly string[])[]): HeaderReferences {
  return Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value]));
}
