import type { AccountRecord } from '../../contracts/interface.ts';
import { OTHER } from '../../contracts/metrics/label-values.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { usdNumber } from '../metrics/usd-number.ts';
import { amountIn, figureCount, isInUsd, partsOf } from './served-figures.ts';
import type { WatchedWindow } from './target-watch.ts';

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

const AMOUNTS = [
  ['weighbridge_usage_settled_usd', 'settled_amount'],
  ['weighbridge_usage_pending_usd', 'pending_amount'],
  ['weighbridge_usage_refunded_usd', 'refunded_amount'],
] as const;
const COUNTS = [
  ['weighbridge_usage_records', 'records'],
  ['weighbridge_usage_unknown_records', 'unknown_records'],
] as const;
const OF_DAY = 'weighbridge_usage_model_settled_usd';

/** What the gateway says was used. A figure that cannot be read has no value, which is not 0. */
export class TotalsWatch {
  readonly #metrics: ProbeMetricsRegistry;
  readonly #name: string;

  constructor({ name }: Pick<ProbeTarget, 'name'>, metrics: ProbeMetricsRegistry) {
    this.#metrics = metrics;
    this.#name = name;
  }

  /** Totals of a window that ends now. */
  read(window: WatchedWindow, totals: unknown): void {
    const labels = { target: this.#name, window };
    const usd = isInUsd(totals);
    for (const [metric, field] of AMOUNTS) {
      const amount = usd ? amountIn(totals, field) : null;
      this.#metrics.set(metric, labels, amount === null ? Number.NaN : usdNumber(amount));
    }
    for (const [metric, field] of COUNTS)
      this.#metrics.set(metric, labels, figureCount(totals, field) ?? Number.NaN);
  }

  /** Totals from the last UTC midnight on; null where they could not be read. All not watched is one sum. */
  ofDay(totals: unknown, watched: readonly string[]): void {
    this.#metrics.remove(OF_DAY, { target: this.#name });
    const models = isInUsd(totals) ? partsOf(totals, 'by_model', 'model') : null;
    if (models === null) return;
    const amounts = new Map<string, PicoUsd | null>([OTHER, ...watched].map((model) => [model, 0n]));
    for (const [model, part] of models) {
      const label = watched.includes(model) ? model : OTHER;
      const [held, amount] = [amounts.get(label) ?? null, amountIn(part, 'settled_amount')];
      amounts.set(label, held === null || amount === null ? null : held + amount);
    }
    for (const [model, amount] of amounts)
      if (amount !== null) this.#metrics.set(OF_DAY, { target: this.#name, model }, usdNumber(amount));
  }

  close(): void {
    for (const [metric] of [...AMOUNTS, ...COUNTS]) this.#metrics.remove(metric, { target: this.#name });
    this.#metrics.remove(OF_DAY, { target: this.#name });
  }
}
