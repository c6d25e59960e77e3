import type { AccountRegistry } from './account/account-registry.ts';
import type { ChargeLedger } from './charging/charge-ledger.ts';
import type { LateSettlements } from './charging/late-settlements.ts';
import type { OpenCalls } from './charging/open-calls.ts';
import type { RecordStore } from './charging/record-store.ts';
import type { ServedForms } from './charging/served-forms.ts';
import type { MovableClock } from './clock.ts';
import type { DataDirectory } from './data/data-directory.ts';
import type { FaultEngine } from './faults/fault-engine.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import type { ImageWork } from './images/image-work.ts';
import type { LinkSigner } from './images/link-signer.ts';
import type { CallJournal } from './journal/call-journal.ts';
import type { GatewayLatency } from './latency/gateway-latency.ts';
import type { LatenessLog } from './latency/lateness-log.ts';
import type { TimerWheel } from './latency/timer-wheel.ts';
import type { PriceHistory } from './pricing/price-history.ts';
import type { Readings } from './readings/readings.ts';
import type { TaskStore } from './tasks/task-store.ts';
import type { PromptCache } from './tokens/prompt-cache.ts';
import type { VideoWork } from './videos/video-work.ts';

/** The parts that the routes of one gateway share. */
export interface Gateway {
  readonly seed: number;
  readonly clock: MovableClock;
  readonly wheel: TimerWheel;
  readonly latency: GatewayLatency;
  readonly lateness: LatenessLog;
  /** Null: everything is forgotten when the process ends. */
  readonly data: DataDirectory | null;
  readonly registry: AccountRegistry;
  readonly records: RecordStore;
  readonly ledger: ChargeLedger;
  readonly openCalls: OpenCalls;
  readonly lateSettlements: LateSettlements;
  readonly journal: CallJournal;
  readonly faults: FaultEngine;
  /** Whether a request may ask for faults by its header. */
  readonly faultHeader: boolean;
  readonly prices: PriceHistory;
  readonly readings: Readings;
  readonly forms: ServedForms;
  readonly promptCache: PromptCache;
  readonly imageJobs: TaskStore<ImageWork>;
  readonly videoTasks: TaskStore<VideoWork>;
  readonly idempotency: IdempotencyStore;
  readonly links: LinkSigner;
  /** Internal units per USD, random per instance: nobody may count on a rate (interface §2). */
  readonly quotaPerUsd: number;
}
