import { hash, randomBytes } from 'node:crypto';
import type { PicoUsd } from '../../core/amount.ts';
import type { AccountEvent, BooksLog, CallLimits, KeyEvent, RegistryEvent } from '../events/books-event.ts';
import type { Account, ApiKey } from './account.ts';
import { CallLimiter } from './call-limiter.ts';
import { CreditLine } from './credit-line.ts';

export interface NewAccount {
  readonly balance: PicoUsd;
  readonly blocked?: boolean;
  /** A new one is drawn unless given. */
  readonly accessToken?: string;
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
  readonly group?: string;
  /** A new one is drawn unless given. */
  readonly text?: string;
}

export const OTHER_SITE_PREFIX = 'sk-site2-';
/** Receipts have a form of their own, so that none can be taken for a request id. */
export const RECEIPT_PATTERN = /^rcpt_[A-Za-z0-9_-]{1,59}$/;
export const FIRST_ACCOUNT_ID = 1001;
const MOST_MET = 256;

/** Accounts and keys. Texts of keys and tokens are kept as hashes only; every change is on the log before it is made. */
export class AccountRegistry {
  readonly #log: BooksLog | null;
  readonly #replaced: (account: Account, accessToken: string) => void;
  readonly #accounts = new Map<number, Account>();
  readonly #byToken = new Map<string, Account>();
  /** By hash, in the order of their ordinals. */
  readonly #keys = new Map<string, ApiKey>();
  readonly #byOrdinal: ApiKey[] = [];
  /** Texts of keys that called lately: a hash a call would take as long as reading its body. */
  readonly #met = new Map<string, ApiKey>();

  /** Without a log the accounts live in memory only. `replaced`: an account has another token from now on. */
  constructor(
    log: BooksLog | null = null,
    replaced: (account: Account, accessToken: string) => void = () => {},
  ) {
    this.#log = log;
    this.#replaced = replaced;
  }

  /** The token is told here and never again. */
  addAccount(wanted: NewAccount): { account: Account; accessToken: string } {
    const accessToken = wanted.accessToken ?? newSecret();
    const { balance } = wanted;
    const id = FIRST_ACCOUNT_ID + this.#accounts.size;
    this.#commit({
      type: 'account',
      id,
      tokenHash: hashOf(accessToken),
      blocked: wanted.blocked ?? false,
      balance,
      reserved: 0n,
      used: 0n,
      requests: 0,
      drawn: 0n,
      credits: [{ receipt: null, amount: balance }],
    });
    return { account: this.#known(id), accessToken };
  }

  /** The text is told here and never again (interface §5). */
  addKey(wanted: NewKey): { text: string; key: ApiKey } {
    const text = wanted.text ?? `${wanted.site === 2 ? OTHER_SITE_PREFIX : 'sk-'}${newSecret()}`;
    this.#commit({
      type: 'key',
      account: wanted.account.id,
      hash: hashOf(text),
      ordinal: this.#byOrdinal.length + 1,
      site: wanted.site ?? 1,
      ...(wanted.group === undefined ? {} : { group: wanted.group }),
      blocked: wanted.blocked ?? false,
      models: wanted.models ?? null,
      limit: wanted.limit ?? null,
      rate: wanted.rate ?? null,
      spent: wanted.spent ?? 0n,
      reserved: 0n,
    });
    const key = this.key(text);
    if (key === null) throw new Error('a key was not added');
    return { text, key };
  }

  /**
   * Adds money, or takes some away by a negative amount; the balance may go below zero. Charges draw on credits in
   * the order in which they came. Throws RangeError for a receipt that is not `rcpt_…` or that the account has.
   */
  addCredit(account: Account, amount: PicoUsd, receipt: string | null = null): void {
    if (receipt !== null && !RECEIPT_PATTERN.test(receipt)) {
      throw new RangeError(`expected a receipt such as rcpt_0001 of at most 64 characters, found ${receipt}`);
    }
    if (receipt !== null && account.credits.has(receipt)) {
      throw new RangeError(`expected a new receipt, found that account ${account.id} has ${receipt}`);
    }
    this.#commit({ type: 'credit', account: account.id, receipt, amount });
  }

  /** Replaces the access token; the old one stops working at once (interface §5). */
  regenerateToken(account: Account): string {
    const accessToken = newSecret();
    this.#commit({ type: 'token', account: account.id, tokenHash: hashOf(accessToken) });
    this.#replaced(account, accessToken);
    return accessToken;
  }

  blockAccount(account: Account, blocked: boolean): void {
    this.#commit({ type: 'block', account: account.id, key: null, blocked });
  }

  blockKey(key: ApiKey, blocked: boolean): void {
    this.#commit({ type: 'block', account: key.account.id, key: key.ordinal, blocked });
  }

  account(id: number): Account | null {
    return this.#accounts.get(id) ?? null;
  }

  accountOfToken(token: string): Account | null {
    return this.#byToken.get(hashOf(token)) ?? null;
  }

  key(text: string): ApiKey | null {
    const met = this.#met.get(text);
    if (met !== undefined) return met;
    const key = this.#keys.get(hashOf(text)) ?? null;
    if (key === null) return null;
    if (this.#met.size >= MOST_MET) this.#met.clear();
    this.#met.set(text, key);
    return key;
  }

  /** The key of this fingerprint, or null. */
  keyOfFingerprint(fingerprint: string): ApiKey | null {
    return this.#byOrdinal.find((key) => key.fingerprint === fingerprint) ?? null;
  }

  keyOfOrdinal(ordinal: number): ApiKey | null {
    return this.#byOrdinal[ordinal - 1] ?? null;
  }

  /** In the order of their ordinals. */
  keys(): readonly ApiKey[] {
    return this.#byOrdinal;
  }

  /** Every account and key as it stands. */
  *state(): Generator<AccountEvent | KeyEvent, undefined> {
    for (const account of this.#accounts.values()) yield accountState(account);
    for (const key of this.#byOrdinal) yield keyState(key);
    return undefined;
  }

  /** Makes a change again that is on the log already; throws RangeError when it does not fit what is there. */
  replay(event: RegistryEvent): void {
    if (event.type === 'account' && event.id !== FIRST_ACCOUNT_ID + this.#accounts.size) {
      throw new RangeError(`account ${event.id} is out of order`);
    }
    if (event.type === 'key' && event.ordinal !== this.#byOrdinal.length + 1) {
      throw new RangeError(`key ${event.ordinal} is out of order`);
    }
    this.#apply(event);
  }

  #commit(event: RegistryEvent): void {
    this.#log?.append(event);
    this.#apply(event);
  }

  #apply(event: RegistryEvent): void {
    switch (event.type) {
      case 'account':
        this.#enterAccount(event);
        return;
      case 'key':
        this.#enterKey(event);
        return;
      case 'token': {
        const account = this.#known(event.account);
        this.#byToken.delete(account.tokenHash);
        account.tokenHash = event.tokenHash;
        this.#byToken.set(event.tokenHash, account);
        return;
      }
      case 'block':
        (event.key === null ? this.#known(event.account) : this.#knownKey(event.key)).blocked = event.blocked;
        return;
      case 'credit': {
        const account = this.#known(event.account);
        account.balance += event.amount;
        if (event.amount < 0n) account.credits.draw(-event.amount);
        else account.credits.add(event);
        return;
      }
    }
  }

  #enterAccount({ type: _, drawn, credits, ...told }: AccountEvent): void {
    const line = new CreditLine();
    for (const credit of credits) line.add(credit);
    line.draw(drawn);
    const account = { ...told, credits: line };
    this.#accounts.set(account.id, account);
    this.#byToken.set(account.tokenHash, account);
  }

  #enterKey({ type: _, account, models, rate, ...told }: KeyEvent): void {
    const key: ApiKey = {
      ...told,
      account: this.#known(account),
      fingerprint: told.hash.slice(0, FINGERPRINT_DIGITS),
      models: models === null ? null : new Set(models),
      limiter: rate === null ? null : new CallLimiter(rate),
    };
    this.#keys.set(key.hash, key);
    this.#byOrdinal.push(key);
  }

  #known(id: number): Account {
    const account = this.#accounts.get(id);
    if (account === undefined) throw new RangeError(`there is no account ${id}`);
    return account;
  }

  #knownKey(ordinal: number): ApiKey {
    const key = this.keyOfOrdinal(ordinal);
    if (key === null) throw new RangeError(`there is no key ${ordinal}`);
    return key;
  }
}

const FINGERPRINT_DIGITS = 16;

export function keyFingerprint(keyText: string): string {
  return hashOf(keyText).slice(0, FINGERPRINT_DIGITS);
}

function hashOf(text: string): string {
  return hash('sha256', text);
}

/** 192 random bits in hex. */
function newSecret(): string {
  return randomBytes(24).toString('hex');
}

function accountState({ credits, ...account }: Account): AccountEvent {
  return { type: 'account', ...account, drawn: credits.drawn, credits: credits.credits() };
}

/** In the order in which the lines of keys have it. */
function keyState(key: ApiKey): KeyEvent {
  const { ordinal, site, group, blocked, models, limit, limiter, spent, reserved } = key;
  const own = group === undefined ? {} : { group };
  const of = { account: key.account.id, hash: key.hash, ordinal, site, ...own, blocked };
  const may = { models: models === null ? null : [...models], limit, rate: limiter?.limits ?? null };
  return { type: 'key', ...of, ...may, spent, reserved };
}
