import { Buffer } from 'node:buffer';
import type { SparseHistogram } from '../../contracts/ledger-lines.ts';
import type { StreamEventClass } from '../../contracts/stream-event-class.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { carriesError } from '../../wire/api-error.ts';
import { asArray, asName, asObject, type JsonObject, parseObject } from '../../wire/json-fields.ts';
import type { StreamEvent, TextStep } from '../../wire/text-stream.ts';
import { EventStream, type EventStreamResult } from '../event-stream.ts';
import type { BodyReader } from './exchange.ts';

const BUCKETS_PER_DOUBLING = 16;
const SMALLEST_BOUND_MS = 0.01;
const MOST_BUCKETS = 32 * BUCKETS_PER_DOUBLING;
/** Rounding of a logarithm must not lift a gap that stands on a bound into the next bucket. */
const SLACK = 1e-9;

/**
 * Gaps between events with content, in the buckets of xk6/call: they grow by 2^(1/16) from 0.01 ms up, and gaps of 0 (events
 * of one chunk) have a bucket of their own, so that histograms of both add up.
 */
export class GapHistogram {
  readonly #counts = new Map<number, number>();
  #max: number | null = null;

  add(gapMs: number): void {
    const bound = gapMs <= 0 ? 0 : boundOf(bucketOf(gapMs));
    this.#counts.set(bound, (this.#counts.get(bound) ?? 0) + 1);
    this.#max = Math.max(this.#max ?? 0, gapMs);
  }

  /** The longest gap, ms; null before the first. */
  get maxMs(): number | null {
    return this.#max;
  }

  /** Null for an empty one. */
  sparse(): SparseHistogram | null {
    if (this.#counts.size === 0) return null;
    return [...this.#counts].sort(([a], [b]) => a - b);
  }
}

function bucketOf(gapMs: number): number {
  const bucket = Math.ceil(BUCKETS_PER_DOUBLING * Math.log2(gapMs / SMALLEST_BOUND_MS) - SLACK);
  return Math.min(Math.max(bucket, 0), MOST_BUCKETS - 1);
}

/** Five significant digits. */
function boundOf(bucket: number): number {
  const bound = SMALLEST_BOUND_MS * 2 ** (bucket / BUCKETS_PER_DOUBLING);
  const digits = 10 ** (4 - Math.floor(Math.log10(bound)));
  return Math.round(bound * digits) / digits;
}

const TERMINATORS: readonly string[] = ['message_stop', 'response.completed', 'response.incomplete'];
const MESSAGES_FRAMES: readonly string[] = [
  'message_start',
  'message_delta',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
];

/** What one event was for. Judged by itself, so that a second terminator, or text after the end, is told as what it is. */
export function classOfEvent(kind: TextKind, event: StreamEvent, step: TextStep): StreamEventClass {
  if (event.data.trim() === '[DONE]') return kind === 'chat' ? 'terminator' : 'unknown';
  const body = parseObject(event.data);
  const name = asName(body?.['type']) ?? event.type;
  if (name === 'ping' || event.type === 'ping') return 'ping';
  if (body === null) return 'malformed';
  if (carriesError(body['error']) || name === 'error' || name === 'response.failed') return 'error';
  if (kind !== 'chat' && TERMINATORS.includes(name)) return 'terminator';
  if (step.content) return 'delta';
  if (usageIn(body)) return 'usage';
  return isFrame(kind, name, body) ? 'control' : 'unknown';
}

function isFrame(kind: TextKind, name: string, body: JsonObject): boolean {
  if (kind === 'chat') return Array.isArray(body['choices']);
  return kind === 'responses' ? name.startsWith('response.') : MESSAGES_FRAMES.includes(name);
}

function usageIn(body: JsonObject): boolean {
  const places = [
    body,
    asObject(body['message']),
    asObject(body['response']),
    ...asArray(body['choices']).map(asObject),
  ];
  return places.some((place) => asObject(place?.['usage']) !== null);
}

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
  /** The data of the first event; ids may stand in it. */
  firstEvent = '';
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
    this.#stream.feed(chunk, (event, step) => {
      this.firstEvent ||= event.data;
      this.#event(classOfEvent(this.#kind, event, step), step);
    });
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
