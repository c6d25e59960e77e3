import type { PicoUsd } from '../../core/amount.ts';
import type { CallLimiter } from './call-limiter.ts';
import type { CreditLine } from './credit-line.ts';

/** An account holds the credit; what its keys reserve is held back from the balance until settled. */
export interface Account {
  /** The value of `New-Api-User`. */
  readonly id: number;
  /** SHA-256 of the system access token, in hex; the text is told once. */
  tokenHash: string;
  blocked: boolean;
  /** May be negative: a call can come to more than was held for it. */
  balance: PicoUsd;
  reserved: PicoUsd;
  used: PicoUsd;
  requests: number;
  readonly credits: CreditLine;
}

export interface ApiKey {
  readonly account: Account;
  /** SHA-256 of the key, in hex; the text is told once. */
  readonly hash: string;
  /** First 16 hex digits of the hash. */
  readonly fingerprint: string;
  /** 1 for the first key made: names the key in seeded decisions, since the key text is random. */
  readonly ordinal: number;
  readonly site: 1 | 2;
  /** Whose ratio its charges are multiplied by, where a dialect has groups; absent: `default`. */
  readonly group?: string | undefined;
  blocked: boolean;
  /** Null: all models. */
  readonly models: ReadonlySet<string> | null;
  /** Null: no limit beside the balance. */
  readonly limit: PicoUsd | null;
  /** Null: as many calls as come. */
  readonly limiter: CallLimiter | null;
  spent: PicoUsd;
  reserved: PicoUsd;
}
