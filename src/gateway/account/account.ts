import type { PicoUsd } from '../../core/amount.ts';
import type { CallLimiter } from './call-limiter.ts';

/** An account holds the credit; what its keys reserve is held back from the balance until settled. */
export interface Account {
  /** The value of `New-Api-User`. */
  readonly id: number;
  readonly accessToken: string;
  readonly blocked: boolean;
  balance: PicoUsd;
  reserved: PicoUsd;
  used: PicoUsd;
  requests: number;
}

export interface ApiKey {
  readonly account: Account;
  /** First 16 hex digits of the SHA-256 of the key. */
  readonly fingerprint: string;
  /** 1 for the first key made: names the key in seeded decisions, since the key text is random. */
  readonly ordinal: number;
  readonly blocked: boolean;
  /** Null: all models. */
  readonly models: ReadonlySet<string> | null;
  /** Null: no limit beside the balance. */
  readonly limit: PicoUsd | null;
  /** Null: as many calls as come. */
  readonly limiter: CallLimiter | null;
  spent: PicoUsd;
  reserved: PicoUsd;
}
