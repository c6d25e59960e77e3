import type { LatencyDistribution } from './distribution.ts';

/** How long the gateway takes for what it does. Every time is drawn for itself. */
export interface LatencyModel {
  /** From acceptance, or from the place in the queue's end, to the first piece of text. */
  readonly ttft: LatencyDistribution;
  /** From one piece of text to the next; one token each, by and large. */
  readonly itl: LatencyDistribution;
  /** One image made while the client waits. */
  readonly image: LatencyDistribution;
  readonly job_queue: LatencyDistribution;
  readonly job_run: LatencyDistribution;
  readonly video_queue: LatencyDistribution;
  readonly video_run: LatencyDistribution;
  /** By how much ttft, itl and image grow until `max_in_flight` calls are open; 1: not at all. */
  readonly load_factor: number;
  /** Calls of text and images that are served at once; null: all. */
  readonly max_in_flight: number | null;
  /** Calls that may wait for a place; null: all. */
  readonly max_queue: number | null;
  /** Whole seconds that a call beyond the queue is told to wait. */
  readonly retry_after_s: number;
}
