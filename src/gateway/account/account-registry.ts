import { createHash, randomBytes } from 'node:crypto';
import type { PicoUsd } from '../../core/amount.ts';
import type { Account, ApiKey } from './account.ts';
import { CallLimiter, type CallLimits } from './call-limiter.ts';

export interface NewAccount {
  readonly balance: PicoUsd;
  readonly blocked?: boolean;
}

export interface NewKey {
  readonly account: Account;
  readonly blocked?: boolean;
  readonly models?: readonly string[] | null;
  readonly limit?: PicoUsd | null;
  readonly spent?: PicoUsd;
  readonly rate?: CallLimits | null;
  /** Keys of the other site have a form of their own and work nowhere here (interface §5 rule 4). */
  readonly site?: 1 | 2;
}

export const OTHER_SITE_PREFIX = 'sk-site2-';

/** Accounts and keys of one start. Key texts are kept as hashes only. */
export class AccountRegistry {
  readonly #accounts = new Map<number, Account>();
  readonly #byToken = new Map<string, Account>();
  readonly #keys = new Map<string, ApiKey>();

  addAccount(wanted: NewAccount): Account {
    const account: Account = {
      id: 1001 + this.#accounts.size,
      accessToken: randomBytes(24).toString('hex'),
      blocked: wanted.blocked ?? false,
      balance: wanted.balance,
      reserved: 0n,
      used: 0n,
      requests: 0,
    };
    this.#accounts.set(account.id, account);
    this.#byToken.set(account.accessToken, account);
    return account;
  }

  /** The text is shown here and never again (interface §5). */
  addKey(wanted: NewKey): { text: string; key: ApiKey } {
    const text = `${wanted.site === 2 ? OTHER_SITE_PREFIX : 'sk-'}${randomBytes(24).toString('hex')}`;
    const key: ApiKey = {
      account: wanted.account,
      fingerprint: fingerprintOf(text),
      ordinal: this.#keys.size + 1,
      blocked: wanted.blocked ?? false,
      models: wanted.models == null ? null : new Set(wanted.models),
      limit: wanted.limit ?? null,
      limiter: wanted.rate == null ? null : new CallLimiter(wanted.rate),
      spent: wanted.spent ?? 0n,
      reserved: 0n,
    };
    this.#keys.set(hashOf(text), key);
    return { text, key };
  }

  account(id: number): Account | null {
    return this.#accounts.get(id) ?? null;
  }

  accountOfToken(token: string): Account | null {
    return this.#byToken.get(token) ?? null;
  }

  key(text: string): ApiKey | null {
    return this.#keys.get(hashOf(text)) ?? null;
  }
}

export function fingerprintOf(keyText: string): string {
  return hashOf(keyText).slice(0, 16);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
