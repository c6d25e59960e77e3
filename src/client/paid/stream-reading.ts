import { Buffer } from 'node:buffer';
import type { StreamEventClass } from '../../contracts/stream-event-class.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { EventStream, type EventStreamResult } from '../event-stream.ts';
import type { BodyReader } from './exchange.ts';
import { classOfEvent, GapHistogram } from './gap-histogram.ts';

/** The largest event and the largest answer that are read, bytes. */
const MOST_EVENT_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
/** How much may follow a terminal event. */
const MOST_DRAINED = 64 * 1024;
/** So much of a stream is kept while it has no event: a page or an error object may stand in place of one. */
const MOST_HEAD = 16 * 1024;

export type StreamEventCounts = Readonly<Record<StreamEventClass, number>>;

/** Reads an event stream with the moments of its events; all events that one piece completes have that piece's moment. */
export class StreamReading implements BodyReader {
  readonly gaps = new GapHistogram();
  readonly #kind: TextKind;
  readonly #stream: EventStream;
  readonly #counts = new Map<StreamEventClass, number>();
  #now = 0;
  #bytes = 0;
  #sinceEvent = 0;
  #drained = 0;
  #terminal = false;
  #tooLarge = false;
  #head: Buffer | null = Buffer.alloc(0);
  contentEvents = 0;
  firstEventAt: number | null = null;
  firstContentAt: number | null = null;
  firstVisibleAt: number | null = null;
  lastContentAt: number | null = null;

  constructor(kind: TextKind) {
    this.#kind = kind;
    this.#stream = new EventStream(kind, MOST_EVENT_BYTES);
  }

  get state(): 'waiting' | 'flowing' | 'ended' {
    if (this.#terminal) return 'ended';
    return this.firstContentAt === null ? 'waiting' : 'flowing';
  }

  take(chunk: Uint8Array, at: number): boolean {
    const wasOver = this.#terminal;
    this.#now = at;
    this.#bytes += chunk.length;
    this.#sinceEvent += chunk.length;
    if (this.#head !== null && this.#head.length < MOST_HEAD)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, MOST_HEAD - this.#head.length)]);
    this.#stream.feed(chunk, (event, step) => this.#event(classOfEvent(this.#kind, event, step), step));
    if (wasOver) this.#drained += chunk.length;
    else this.#tooLarge = this.#sinceEvent > MOST_EVENT_BYTES || this.#bytes > MOST_BYTES;
    return !this.#tooLarge && this.#drained <= MOST_DRAINED;
  }

  #event(
    eventClass: StreamEventClass,
    step: { content: boolean; visible: boolean; terminal: boolean },
  ): void {
    this.#counts.set(eventClass, (this.#counts.get(eventClass) ?? 0) + 1);
    this.#sinceEvent = 0;
    this.#head = null;
    if (this.#terminal) return;
    this.firstEventAt ??= this.#now;
    if (step.visible) this.firstVisibleAt ??= this.#now;
    if (step.content) {
      this.contentEvents += 1;
      this.firstContentAt ??= this.#now;
      if (this.lastContentAt !== null) this.gaps.add(this.#now - this.lastContentAt);
      this.lastContentAt = this.#now;
    }
    this.#terminal = step.terminal;
  }

  /** What stands where events should: the beginning of a stream that had none, else ''. */
  get eventless(): string {
    return this.#head?.toString('utf8') ?? '';
  }

  get terminal(): boolean {
    return this.#terminal;
  }

  counts(): StreamEventCounts {
    const counts = { ...NO_EVENTS };
    for (const [eventClass, count] of this.#counts) counts[eventClass] = count;
    counts.comment = this.#stream.comments;
    return counts;
  }

  result(): EventStreamResult {
    const result = this.#stream.result();
    return this.#tooLarge ? { ...result, complete: false, error_type: 'stream_oversize' } : result;
  }
}

const NO_EVENTS: Record<StreamEventClass, number> = {
  delta: 0,
  control: 0,
  ping: 0,
  comment: 0,
  usage: 0,
  terminator: 0,
  error: 0,
  unknown: 0,
  malformed: 0,
};

export function noEvents(): StreamEventCounts {
  return NO_EVENTS;
}
