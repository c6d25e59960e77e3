import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { type HeaderReferences, type HeaderValues, headerValues, NO_HEADERS } from './header-values.ts';
import { configInvalid, type Problem } from './problem.ts';

const MASKED = '[masked]';

export interface CredentialTexts {
  readonly apiKey: string | null;
  readonly accessToken: string | null;
  readonly userId: string | null;
  /** What calls take by turns after `apiKey`. */
  readonly furtherKeys?: readonly string[];
  /** Of every request to the target. */
  readonly headers?: HeaderValues;
}

/** First 16 hex digits of the SHA-256 of an API key; null without one. */
export function fingerprintOf(apiKey: string | null): string | null {
  return apiKey === null ? null : createHash('sha256').update(apiKey).digest('hex').slice(0, 16);
}

/** The secrets of a target. Serialising, inspecting or printing it shows none of them. */
export class Credentials {
  readonly #texts: CredentialTexts;

  constructor(texts: CredentialTexts) {
    this.#texts = texts;
  }

  /** Model calls and usage reads (interface §5). */
  get apiKey(): string | null {
    return this.#texts.apiKey;
  }

  /** Account reads; not interchangeable with the API key. */
  get accessToken(): string | null {
    return this.#texts.accessToken;
  }

  get userId(): string | null {
    return this.#texts.userId;
  }

  /** Headers of every request, by their names in lower case. */
  get headers(): HeaderValues['values'] {
    return (this.#texts.headers ?? NO_HEADERS).values;
  }

  /** True where requests say by themselves who sends them. */
  get identifies(): boolean {
    return this.apiKey !== null || Object.hasOwn(this.headers, 'authorization');
  }

  /** In the order in which calls take them; the first is `apiKey`. */
  get apiKeys(): readonly string[] {
    const { apiKey, furtherKeys = [] } = this.#texts;
    return apiKey === null ? [] : [apiKey, ...furtherKeys];
  }

  /** Null where there is no key, and where there are several: none speaks for all. */
  get keyFp(): string | null {
    return this.apiKeys.length === 1 ? fingerprintOf(this.#texts.apiKey) : null;
  }

  /** One for each key. */
  get keyFps(): readonly string[] {
    return this.apiKeys.flatMap((key) => fingerprintOf(key) ?? []);
  }

  /** The same account with one key each; itself where it has one or none. */
  get byKey(): readonly [Credentials, ...Credentials[]] {
    const { furtherKeys = [], ...texts } = this.#texts;
    return [new Credentials(texts), ...furtherKeys.map((apiKey) => new Credentials({ ...texts, apiKey }))];
  }

  /** What no output may hold. The user id is no secret. */
  get secrets(): string[] {
    const { accessToken, headers = NO_HEADERS } = this.#texts;
    return [...this.apiKeys, accessToken, ...headers.secrets].filter((text) => text !== null);
  }

  toJSON(): string {
    return MASKED;
  }

  toString(): string {
    return MASKED;
  }

  [inspect.custom](): string {
    return `Credentials ${MASKED}`;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

const SECRET_HINT = 'Put only the value into the file or the variable, and run the command again.';

/**
 * Reads WEIGHBRIDGE_API_KEY, _ACCESS_TOKEN and _USER_ID, or `…_FILE` with a path, and the headers of a target. Files of
 * `--key-file` come in place of the first; a key that two of them hold is one. Errors never repeat a value.
 */
export function loadCredentials(
  env: Env,
  {
    keyFiles = [],
    headers: references = {},
  }: {
    readonly keyFiles?: readonly string[] | undefined;
    readonly headers?: HeaderReferences | undefined;
  } = {},
): Credentials {
  const problems: Problem[] = [];
  const refuse = (at: string, rule: string): null => {
    problems.push({ at, path: '', rule, found: null, suggestion: null });
    return null;
  };
  const given = keyFiles.map((path) => secretOfFile('--key-file', path, refuse));
  const [first, ...furtherKeys] = new Set(given.filter((key) => key !== null));
  const apiKey = keyFiles.length > 0 ? (first ?? null) : readSecret(env, 'WEIGHBRIDGE_API_KEY', refuse);
  const accessToken = readSecret(env, 'WEIGHBRIDGE_ACCESS_TOKEN', refuse);
  const userId = readSecret(env, 'WEIGHBRIDGE_USER_ID', refuse);
  if (accessToken?.startsWith('sk-') === true) {
    refuse(
      'WEIGHBRIDGE_ACCESS_TOKEN',
      'must be a system access token, but it starts with sk-, as an API key does',
    );
  }
  if (userId !== null && !/^\d{1,19}$/.test(userId))
    refuse('WEIGHBRIDGE_USER_ID', 'must be the numeric user id');
  const headers = headerValues(references, env, refuse);
  if (problems.length > 0) throw configInvalid(problems, SECRET_HINT);
  return new Credentials({ apiKey, accessToken, userId, furtherKeys, headers });
}

/** The headers of a target alone. */
export function loadHeaders(env: Env, references: HeaderReferences): HeaderValues {
  const problems: Problem[] = [];
  const headers = headerValues(references, env, (at, rule) => {
    problems.push({ at, path: '', rule, found: null, suggestion: null });
    return null;
  });
  if (problems.length > 0) throw configInvalid(problems, SECRET_HINT);
  return headers;
}

/** The API key of a file that a flag names; an error names the flag, never the value. */
export function loadKeyFile(path: string, flag: string, headers: HeaderValues = NO_HEADERS): Credentials {
  const problems: Problem[] = [];
  const apiKey = secretOfFile(flag, path, (at, rule) => {
    problems.push({ at, path: '', rule, found: null, suggestion: null });
    return null;
  });
  if (problems.length > 0) throw configInvalid(problems, SECRET_HINT);
  return new Credentials({ apiKey, accessToken: null, userId: null, headers });
}

type Refuse = (at: string, rule: string) => null;

function readSecret(env: Env, name: string, refuse: Refuse): string | null {
  const text = env[name] ?? '';
  const path = env[`${name}_FILE`] ?? '';
  if (text !== '' && path !== '') return refuse(name, `must not be set together with ${name}_FILE`);
  if (path === '') return text === '' ? null : checked(name, text, refuse);
  return secretOfFile(`${name}_FILE`, path, refuse);
}

function secretOfFile(at: string, path: string, refuse: Refuse): string | null {
  try {
    return checked(at, readFileSync(path, 'utf8').replace(/\r?\n$/, ''), refuse);
  } catch {
    return refuse(at, `must be a file that can be read, but ${shownPath(path)} is not`);
  }
}

/** A key that was given where its file is asked for is not repeated: a name so long, without a dot or a slash, is one. */
function shownPath(path: string): string {
  return /^[^./\\]{20,}$/.test(path) ? 'the value (is it the key itself?)' : path;
}

function checked(at: string, secret: string, refuse: Refuse): string | null {
  // A header takes visible ASCII only; a pasted line break would otherwise fail deep inside a client.
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  return refuse(at, 'must be one line of visible ASCII characters without spaces');
}
