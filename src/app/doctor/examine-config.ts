import { statSync } from 'node:fs';
import { type Credentials, loadCredentials } from '../../config/credentials.ts';
import { isDefaultPlan, loadConfig } from '../../config/load-config.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { blocking, type Examination, notAsked, ok, type Seen, warning } from './examination.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A value, or what keeps it from being there. */
export type Read<T> = { readonly value: T } | { readonly error: WeighbridgeError };

export function readConfig(
  file: string | undefined,
  target: string | undefined,
  env: Env,
): Read<ResolvedConfig> {
  return orOurError(() => loadConfig({ file, env, flags: target === undefined ? {} : { target } }));
}

export function readCredentials(env: Env): Read<Credentials> {
  return orOurError(() => loadCredentials(env));
}

export function examineConfig(config: Read<ResolvedConfig>): Examination {
  return {
    name: 'configuration',
    look: () => {
      if ('error' in config) return problemOf(config.error);
      const { file } = config.value;
      return isDefaultPlan(file)
        ? ok('none here: the default plan; weighbridge init writes one')
        : ok(`${file} holds`);
    },
  };
}

/** Says which are there, never what they are. */
export function examineCredentials(
  credentials: Read<Credentials>,
  env: Env,
  hasTarget: boolean,
): Examination {
  return {
    name: 'credentials',
    look: () => {
      if ('error' in credentials) return problemOf(credentials.error);
      const { apiKey, accessToken } = credentials.value;
      if (apiKey === null && hasTarget)
        return blocking(
          'no API key for the target',
          'set WEIGHBRIDGE_API_KEY, or WEIGHBRIDGE_API_KEY_FILE to the path of a file that holds it',
        );
      if (apiKey === null) return notAsked('none; the embedded gateway needs none');
      const open = env['WEIGHBRIDGE_API_KEY_FILE'] ?? '';
      if (open !== '' && isReadByOthers(open))
        return warning('the key file can be read by others', `chmod 600 ${open}`);
      return ok(accessToken === null ? 'an API key' : 'an API key and an access token');
    },
  };
}

function isReadByOthers(path: string): boolean {
  // Windows knows no such bits.
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

function problemOf({ message, hint }: WeighbridgeError): Seen {
  return blocking(message, hint);
}

function orOurError<T>(read: () => T): Read<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof WeighbridgeError) return { error };
    throw error;
  }
}
