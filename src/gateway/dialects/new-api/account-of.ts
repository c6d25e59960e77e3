import type { IncomingHttpHeaders } from 'node:http';
import type { Account, ApiKey } from '../../account/account.ts';
import type { AccountRegistry } from '../../account/account-registry.ts';
import { ApiError } from '../../http/api-error.ts';
import { UNKNOWN_TOKEN } from './refusals.ts';

/** The owner of an access token, which may stand without `Bearer`; an unknown one is refused with status 200. */
export function accountOf(registry: AccountRegistry, headers: IncomingHttpHeaders): Account {
  const token = (headers.authorization ?? '').replace(/^Bearer +/i, '').trim();
  const user = headers['new-api-user'];
  if (token === '') throw unauthorised('No access token is given');
  const account = registry.accountOfToken(token);
  if (account === null)
    throw new ApiError({ status: 401, code: UNKNOWN_TOKEN, message: 'The access token is not valid' });
  if (user === undefined) throw unauthorised('The New-Api-User header is missing');
  if (user !== String(account.id)) throw unauthorised('The New-Api-User header is of another user');
  if (account.blocked) throw new ApiError({ status: 403, message: 'This user is blocked' });
  return account;
}

export function keysOfAccount(registry: AccountRegistry, account: Account): readonly ApiKey[] {
  return registry.keys().filter((key) => key.account === account);
}

function unauthorised(message: string): ApiError {
  return new ApiError({ status: 401, message });
}
