import { readFileSync } from 'node:fs';
import { secretPlace } from './credential-reference.ts';
import type { HeaderReferences } from './target-headers.ts';

export type { HeaderReferences };

/** Headers as they are sent, and which texts in them are secret. */
export interface HeaderValues {
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

export const NO_HEADERS: HeaderValues = { values: {}, secrets: [] };

/** Shorter values are words that stand in answers by chance: they are not masked. */
const SHORTEST_SECRET = 8;

type Env = Readonly<Record<string, string | undefined>>;

/** Reads what the references name; what cannot be sent is refused without being shown. */
export function headerValues(
  references: HeaderReferences,
  env: Env,
  refuse: (at: string, rule: string) => null,
): HeaderValues {
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, reference] of Object.entries(references)) {
    const at = `target.headers.${name}`;
    const place = secretPlace(reference);
    const value = place === null ? reference : read(place, env, at, refuse);
    if (value === null) continue;
    values[name] = value;
    if (place !== null && value.length >= SHORTEST_SECRET) secrets.push(withoutScheme(value));
  }
  return { values, secrets };
}

function read(
  place: { readonly env: string } | { readonly file: string },
  env: Env,
  at: string,
  refuse: (at: string, rule: string) => null,
): string | null {
  const text = 'env' in place ? env[place.env] : textOf(place.file);
  const value = text?.replace(/\r?\n$/, '') ?? '';
  if (value === '') {
    const where = 'env' in place ? `the variable ${place.env}` : 'its file';
    return refuse(at, `must have a value, and ${where} has none that can be read`);
  }
  return /^[\x20-\x7e]+$/.test(value) ? value : refuse(at, 'must hold one line of visible ASCII');
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** `Bearer xyz` is told again as `xyz`, too. */
function withoutScheme(value: string): string {
  return value.replace(/^(?:bearer|basic|token)\s+/i, '');
}
