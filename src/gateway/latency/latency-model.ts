import type { Distribution } from './distribution.ts';

/** How long the gateway takes for what it does. Every time is drawn for itself. */
export interface LatencyModel {
  /** From acceptance, or from the place in the queue's end, to the first piece of text. */
  readonly ttft: Distribution;
  /** From one piece of text to the next; one token each, by and large. */
  readonly itl: Distribution;
  /** One image made while the client waits. */
  readonly image: Distribution;
  readonly job_queue: Distribution;
  readonly job_run: Distribution;
  readonly video_queue: Distribution;
  readonly video_run: Distribution;
  /** By how much ttft, itl and image grow until `max_in_flight` calls are open; 1: not at all. */
  readonly load_factor: number;
  /** Calls of text and images that are served at once; null: all. */
  readonly max_in_flight: number | null;
  /** Calls that may wait for a place; null: all. */
  readonly max_queue: number | null;
  /** Whole seconds that a call beyond the queue is told to wait. */
  readonly retry_after_s: number;
}
