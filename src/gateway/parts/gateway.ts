import type { AccountRegistry } from '../account/account-registry.ts';
import type { CallParts } from '../calls/call-parts.ts';
import type { DataDirectory } from '../data/data-directory.ts';
import type { FaultEngine } from '../faults/fault-engine.ts';
import type { LinkSigner } from '../http/link-signer.ts';
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts';
import type { GatewayLatency } from '../latency/gateway-latency.ts';
import type { LatenessLog } from '../latency/lateness-log.ts';
import type { Quirks } from '../plain/quirks.ts';
import type { ImageWork, VideoWork } from '../tasks/priced-work.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import type { MovableClock } from '../time/clock.ts';
import type { TimerWheel } from '../time/timer-wheel.ts';
import type { PromptCache } from '../tokens/prompt-cache.ts';

/** The parts that the routes of one gateway share. */
export interface Gateway extends CallParts {
  readonly data: DataDirectory | null;
  readonly seed: number;
  readonly clock: MovableClock;
  readonly wheel: TimerWheel;
  readonly latency: GatewayLatency;
  readonly lateness: LatenessLog;
  readonly registry: AccountRegistry;
  readonly faults: FaultEngine;
  /** Whether a request may ask for faults by its header. */
  readonly faultHeader: boolean;
  readonly promptCache: PromptCache;
  readonly imageJobs: TaskStore<ImageWork>;
  readonly videoTasks: TaskStore<VideoWork>;
  readonly idempotency: IdempotencyStore;
  readonly links: LinkSigner;
  /** Null: a gateway with a bill; else a server without one, and its manners. */
  readonly quirks: Quirks | null;
  /** Internal units per USD, random per instance: nobody may count on a rate (interface §2). */
  readonly quotaPerUsd: number;
}
