import type { AccountRecord } from '../../contracts/interface.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';

const GAUGES = [
  ['weighbridge_account_quota_units', 'quota'],
  ['weighbridge_account_used_quota_units', 'used_quota'],
  ['weighbridge_account_requests', 'request_count'],
] as const;

/** The account's counters, in the site's own units: interface §2 forbids to turn them into USD. */
export class AccountWatch {
  readonly #metrics: ProbeMetricsRegistry;
  readonly #target: string;
  #credit: bigint | null = null;

  constructor(target: string, metrics: ProbeMetricsRegistry) {
    this.#target = target;
    this.#metrics = metrics;
  }

  read(account: AccountRecord): void {
    for (const [name, field] of GAUGES) this.#metrics.set(name, { target: this.#target }, account[field]);
    this.#credit = Number.isSafeInteger(account.quota) ? BigInt(account.quota) : null;
  }

  /** Null until it was read. */
  credit(): bigint | null {
    return this.#credit;
  }

  close(): void {
    for (const [name] of GAUGES) this.#metrics.remove(name, { target: this.#target });
  }
}
