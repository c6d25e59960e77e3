import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadOk } from '../../client/read-result.ts';
import type { UsagePageFrame } from '../../client/wire-schemas.ts';
import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { AccountRecord, ModelList } from '../../contracts/interface.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { Probe, ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import type { ProbeLog } from '../log/probe-log.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';
import type { TargetView } from '../view/daemon-view.ts';
import type { ProbeRun } from '../view/probe-run.ts';

/** Windows of usage that end at the moment of the read. */
export type WatchedWindow = '1h' | '1d' | '30d';

interface AnyFreeRead {
  readonly probe: Probe;
  /** Wall clock, ms since the epoch: when its answer was whole. */
  readonly at_ms: number;
}

/** What a free read was answered, as the interface says: its body as served (`bytes`, `sha256`) and as read. */
export type FreeDocument =
  | {
      readonly document: 'models';
      readonly credential: 'none' | 'key';
      readonly answer: ReadOk<ModelList>;
    }
  | {
      readonly document: 'pricebook';
      readonly answer: ReadOk<string>;
      /** As probes are priced by: a book of one's own where the configuration names one, agreed prices applied. */
      readonly book: PriceBook | null;
      /** Why the book cannot be read; empty where it can. */
      readonly problems: readonly string[];
    }
  | {
      readonly document: 'totals';
      readonly name: WatchedWindow;
      readonly window: UsageWindow;
      readonly answer: ReadOk<Readonly<Record<string, unknown>>>;
    }
  | {
      readonly document: 'records';
      readonly name: WatchedWindow;
      readonly window: UsageWindow;
      readonly pages: readonly ReadOk<UsagePageFrame>[];
      /** Fingerprint of the key whose records they are; null where none could be read. */
      readonly key_fp: string | null;
      /** False where there were more pages than a probe reads. */
      readonly whole: boolean;
    }
  | { readonly document: 'account'; readonly answer: ReadOk<AccountRecord> };

export type FreeRead = AnyFreeRead & FreeDocument;

/** What a target's documents and records say beside the success of the reads: prices, amounts, credit, own calls. */
export interface TargetWatch {
  /** After each good free read. What the target serves is data: it rejects for a fault of ours alone. */
  seen(read: FreeRead): Promise<void>;
  /** After each run of a paid probe; its rows stand in the ledger by then. */
  ended(probe: Probe, run: ProbeRun): void;
  /** True where the last list of the key has the model. */
  lists(model: string): boolean;
  /** After a reload: other probes, watched models or credentials, the same name and bases. */
  replace(target: ProbeTarget): void;
  view(): Pick<TargetView, 'credit_units' | 'audit'>;
  /** Ends what it does by itself, and takes its series out. */
  close(): Promise<void>;
}

/** What a watch is given of its target. */
export interface WatchMeans {
  readonly target: ProbeTarget;
  readonly reconcile_ms: ProbePlan['reconcile_ms'];
  /** `<state>/<target>/probe`: the watch writes beneath `<dir>/audit` alone, and to the archive. */
  readonly dir: string;
  /** `<state>/<target>/archive`, which other commands fill too. */
  readonly archive_dir: string;
  /** Documents that were served last longer ago leave the archive. */
  readonly archive_days: number;
  /** `<dir>/calls`: the ledger of own calls, for `reconcile` as it stands. */
  readonly ledger_dir: string;
  readonly billing: ResolvedBilling;
  readonly clock: ProbeClock;
  readonly metrics: ProbeMetricsRegistry;
  readonly log: ProbeLog;
  /** A client of free reads with the credentials as they are now; the watch closes it. Null: no key can be read. */
  reads(signal: AbortSignal): GatewayClient | null;
}

/** `openTargetWatch` of open-target-watch.ts, which stands beside this file. */
export type OpenTargetWatch = (means: WatchMeans) => TargetWatch;
