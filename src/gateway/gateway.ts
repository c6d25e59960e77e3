import type { AccountRegistry } from './account/account-registry.ts';
import type { ChargeLedger } from './charging/charge-ledger.ts';
import type { OpenCalls } from './charging/open-calls.ts';
import type { RecordStore } from './charging/record-store.ts';
import type { Clock } from './clock.ts';
import type { FaultEngine } from './faults/fault-engine.ts';
import type { ImageWork } from './images/image-work.ts';
import type { LinkSigner } from './images/link-signer.ts';
import type { CallJournal } from './journal/call-journal.ts';
import type { LatencyModel } from './latency/latency-preset.ts';
import type { TimerWheel } from './latency/timer-wheel.ts';
import type { ServedPriceBook } from './pricing/price-book.ts';
import type { TaskStore } from './tasks/task-store.ts';
import type { PromptCache } from './tokens/prompt-cache.ts';
import type { VideoWork } from './videos/video-work.ts';

/** The parts that the routes of one gateway share. */
export interface Gateway {
  readonly seed: number;
  readonly clock: Clock;
  readonly wheel: TimerWheel;
  readonly latency: LatencyModel;
  readonly registry: AccountRegistry;
  readonly records: RecordStore;
  readonly ledger: ChargeLedger;
  readonly openCalls: OpenCalls;
  readonly journal: CallJournal;
  readonly faults: FaultEngine;
  readonly book: ServedPriceBook;
  readonly promptCache: PromptCache;
  readonly imageJobs: TaskStore<ImageWork>;
  readonly videoTasks: TaskStore<VideoWork>;
  readonly links: LinkSigner;
  /** Internal units per USD, random per start: nobody may count on a rate (interface §2). */
  readonly quotaPerUsd: number;
}
