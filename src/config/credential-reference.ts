import { dirname, resolve } from 'node:path';
import * as z from 'zod';

const RULE =
  'must say where the secret stands, as env:NAME or file:PATH; a secret itself never stands here (not shown)';

const ENVIRONMENT = /^env:([A-Za-z_]\w{0,127})$/;
// A key pasted behind `file:` is a key still.
// biome-ignore lint/suspicious/noControlCharactersInRegex: a path that holds them was not typed by a person
const FILE = /^file:(?!\s|sk-)([^\u0000-\u001f\u007f]{1,4096})$/;

/** `readYaml` leaves out what was found where an issue says so. */
const SECRET = { secret: true } as const;

/** `env:NAME` or `file:PATH`. Whatever else stands there may be the secret itself, and is refused without being shown. */
export const credentialReference = z.custom<string>(isReference, { error: RULE, params: SECRET });

/** True for `env:NAME` and `file:PATH`. */
export function isReference(value: unknown): boolean {
  return typeof value === 'string' && (ENVIRONMENT.test(value) || FILE.test(value));
}

/** The variable or the path that a reference names; null for a text that is none. */
export function secretPlace(reference: string): { readonly env: string } | { readonly file: string } | null {
  const [, env] = ENVIRONMENT.exec(reference) ?? [];
  if (env !== undefined) return { env };
  const [, file] = FILE.exec(reference) ?? [];
  return file === undefined ? null : { file };
}

/** The reference with its path made absolute, from the folder of the configuration. */
export function absoluteReference(reference: string, configFile: string): string {
  const path = FILE.exec(reference)?.[1];
  return path === undefined ? reference : `file:${resolve(dirname(configFile), path)}`;
}
