import type { EnvVar } from 'kubernetes-types/core/v1.d.ts';

/** Keys of the Secret for the credentials that every command knows, and the variables that they stand for. */
const CREDENTIALS = {
  'api-key': 'WEIGHBRIDGE_API_KEY',
  'access-token': 'WEIGHBRIDGE_ACCESS_TOKEN',
  'user-id': 'WEIGHBRIDGE_USER_ID',
} as const;
export type CredentialKey = keyof typeof CREDENTIALS;

/** What pods take from the one Secret, which is made by hand: no manifest holds a key. */
export interface SecretUse {
  readonly name: string;
  /** Read as files, whose paths stand in variables. */
  readonly credentials: readonly CredentialKey[];
  /** Read as files that the configuration names itself. */
  readonly files: readonly string[];
  /** Variables that the configuration names (env:NAME). */
  readonly variables: readonly string[];
}

export const SECRET_FOLDER = '/run/secrets/weighbridge';

/** Paths for files, references for variables; no value. */
export function secretEnv({ name, credentials, variables }: SecretUse): EnvVar[] {
  return [
    ...credentials.map((key) => ({ name: `${CREDENTIALS[key]}_FILE`, value: `${SECRET_FOLDER}/${key}` })),
    ...variables.map((variable) => secretVariable(name, variable)),
  ];
}

/** A variable with the value of a key. */
export function secretVariable(secret: string, variable: string, key = keyOf(variable)): EnvVar {
  return { name: variable, valueFrom: { secretKeyRef: { name: secret, key } } };
}

/** The keys that the Secret must have. */
export function secretKeys({ credentials, files, variables }: SecretUse): readonly string[] {
  return [...new Set([...credentials, ...files, ...variables.map(keyOf)])];
}

function keyOf(variable: string): string {
  return Object.entries(CREDENTIALS).find(([, known]) => known === variable)?.[0] ?? variable;
}
