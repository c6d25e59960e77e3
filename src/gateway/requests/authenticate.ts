import type { IncomingHttpHeaders } from 'node:http';
import type { Account, ApiKey } from '../account/account.ts';
import { type AccountRegistry, OTHER_SITE_PREFIX } from '../account/account-registry.ts';
import { ApiError } from '../http/api-error.ts';

/** The bearer credential of a request, or null. */
export function bearerOf(headers: IncomingHttpHeaders): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** `x-api-key` of messages-style calls (interface §5), or null. */
export function apiKeyHeaderOf(headers: IncomingHttpHeaders): string | null {
  const value = headers['x-api-key'];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The key behind a credential of a model call; throws 401 or 403 (interface §7). */
export function authenticateKey(registry: AccountRegistry, credential: string | null): ApiKey {
  if (credential === null) throw new ApiError({ status: 401, message: 'Invalid token' });
  if (credential.startsWith(OTHER_SITE_PREFIX)) {
    throw new ApiError({
      status: 403,
      code: 'key_site_mismatch',
      message:
        'This key belongs to another site. Use the base address https://site2.weighbridge.invalid, or create a key on this site',
    });
  }
  const key = registry.key(credential);
  if (key === null) throw new ApiError({ status: 401, message: 'Invalid token' });
  if (key.blocked || key.account.blocked) {
    const what = key.account.blocked ? 'This account is blocked' : 'This key is not permitted to make calls';
    throw new ApiError({ status: 403, code: 'access_denied', message: what });
  }
  return key;
}

/** The owner of a system access token; throws 401 unless token and `New-Api-User` belong together. */
export function authenticateAccount(registry: AccountRegistry, headers: IncomingHttpHeaders): Account {
  const token = bearerOf(headers);
  const account = token === null ? null : registry.accountOfToken(token);
  if (account === null) throw new ApiError({ status: 401, message: 'Invalid access token' });
  const user = headers['new-api-user'];
  if (user === undefined) throw new ApiError({ status: 401, message: 'The New-Api-User header is missing' });
  if (user !== String(account.id)) {
    throw new ApiError({ status: 401, message: 'The New-Api-User header does not match the access token' });
  }
  if (account.blocked) throw new ApiError({ status: 403, message: 'This account is blocked' });
  return account;
}
