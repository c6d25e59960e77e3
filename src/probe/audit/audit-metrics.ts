import type { CacheResult } from '../../contracts/cache-result.ts';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { MISMATCH_KINDS, VERDICTS } from '../../contracts/metrics/label-values.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { usdNumber } from '../metrics/usd-number.ts';
import type { SettledCall, Tally } from './audit-tally.ts';

const CALLS = 'weighbridge_audit_calls_total';
const FINDINGS = 'weighbridge_audit_findings';
const OPEN = 'weighbridge_audit_calls_open';
const LAST_RUN = 'weighbridge_audit_last_run_timestamp_seconds';
const MISMATCHES = 'weighbridge_usage_mismatches_total';
const CACHE_HITS = 'weighbridge_cache_hits';
const CACHE_LOST = 'weighbridge_cache_lost_usd';
const CACHE_SAVED = 'weighbridge_cache_saved_usd';
const LAG = 'weighbridge_usage_settlement_lag_seconds';

const CACHE = [CACHE_HITS, CACHE_LOST, CACHE_SAVED] as const;

/** When free reads of records showed a request settled first, ms since the epoch. */
export type SettledAt = (requestId: string) => number | null;

/** What audits of own calls show. */
export class AuditMetrics {
  readonly #metrics: ProbeMetricsRegistry;
  #target: ProbeTarget;

  constructor(target: ProbeTarget, metrics: ProbeMetricsRegistry) {
    this.#metrics = metrics;
    this.#target = target;
    const { name } = target;
    metrics.precreate(
      CALLS,
      VERDICTS.map((verdict) => ({ target: name, verdict })),
    );
    metrics.precreate(
      MISMATCHES,
      MISMATCH_KINDS.map((kind) => ({ target: name, kind })),
    );
    metrics.precreate(LAG, [{ target: name }]);
  }

  replace(target: ProbeTarget): void {
    this.#target = target;
  }

  /** A round that has ended; `tally` null where there was nothing to hold. `open` has the calls under way, too. */
  show(tally: Omit<Tally, 'state'> | null, open: number, atMs: number, settledAt: SettledAt): void {
    const target = { target: this.#target.name };
    for (const verdict of tally?.verdicts ?? []) this.#metrics.inc(CALLS, { ...target, verdict });
    for (const kind of tally?.mismatches ?? []) this.#metrics.inc(MISMATCHES, { ...target, kind });
    for (const settled of tally?.settled ?? []) this.#settled(settled, atMs, settledAt);
    for (const each of FAULT_CLASSES)
      this.#metrics.set(FINDINGS, { ...target, class: each }, tally?.classes.get(each) ?? 0);
    this.#metrics.set(OPEN, target, open);
    this.#metrics.set(LAST_RUN, target, atMs / 1000);
  }

  /** What the cache owed the calls of a round; nothing stands where no call tells how its prompt began. */
  showCache(cache: CacheResult | null): void {
    const target = { target: this.#target.name };
    if (cache === null) {
      for (const name of CACHE) this.#metrics.remove(name, target);
      return;
    }
    this.#metrics.set(CACHE_HITS, { ...target, state: 'came' }, cache.hits);
    this.#metrics.set(CACHE_HITS, { ...target, state: 'missed' }, cache.missed.lo);
    this.#metrics.set(CACHE_LOST, { ...target, kind: 'least' }, Number(cache.lost.lo));
    this.#metrics.set(CACHE_LOST, { ...target, kind: 'most' }, Number(cache.lost.hi));
    this.#metrics.set(CACHE_SAVED, target, Number(cache.saved));
  }

  close(): void {
    for (const name of [CALLS, FINDINGS, OPEN, LAST_RUN, MISMATCHES, LAG, ...CACHE] as const)
      this.#metrics.remove(name, { target: this.#target.name });
  }

  #settled({ scenario, request_ids, ended_ms, usd }: SettledCall, atMs: number, settledAt: SettledAt): void {
    const { name, probes } = this.#target;
    const seen = request_ids.flatMap((id) => settledAt(id) ?? []);
    // A stream may be settled before its last byte is here.
    this.#metrics.observe(LAG, { target: name }, Math.max(0, Math.min(atMs, ...seen) - ended_ms) / 1000);
    const probe = probes.find((each) => each.name === scenario);
    // Of a probe that is configured no more there is no series to add to.
    if (probe === undefined || usd === null || usd < 0n) return;
    const { api, model } = probe;
    const labels = { probe: probe.name, target: name, api, model: model ?? '', source: 'recorded' } as const;
    this.#metrics.inc('weighbridge_probe_spend_usd_total', labels, usdNumber(usd));
  }
}
