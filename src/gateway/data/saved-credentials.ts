import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../../files/replace-file.ts';
import { systemCodeOf } from '../../state/system-code.ts';
import { dataFailure } from './data-failure.ts';

const FILE = 'credentials.json';
const OWNER_ONLY = 0o600;

const savedCredentials = z.strictObject({
  schema: z.literal('weighbridge.gateway-credentials/1'),
  api_key: z.string().min(1),
  access_token: z.string().min(1),
  /** Signs result links, in hex. */
  link_secret: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The texts of the first account, which a restart tells again: credentials of a gateway without real money. */
export type SavedCredentials = Readonly<Omit<z.infer<typeof savedCredentials>, 'schema'>>;

/** Null when there are none yet; throws `data_corrupt`. */
export function readSavedCredentials(folder: string): SavedCredentials | null {
  const path = join(folder, FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const { api_key, access_token, link_secret } = savedCredentials.parse(JSON.parse(text));
    return { api_key, access_token, link_secret };
  } catch (cause) {
    throw dataFailure(
      'data_corrupt',
      `expected the credentials of a gateway in ${path}, found something else`,
      'remove this file: the gateway then makes a new key and a new access token for its first account',
      cause,
    );
  }
}

/** A crash leaves the old file or the new one. */
export function writeCredentials(folder: string, credentials: SavedCredentials): void {
  const path = join(folder, FILE);
  const content = { schema: 'weighbridge.gateway-credentials/1', ...credentials };
  replaceFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: OWNER_ONLY });
}

export function newCredentials(): SavedCredentials {
  const secret = (bytes: number): string => randomBytes(bytes).toString('hex');
  return { api_key: `sk-${secret(24)}`, access_token: secret(24), link_secret: secret(32) };
}
