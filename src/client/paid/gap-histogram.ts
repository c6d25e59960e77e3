import type { SparseHistogram } from '../../contracts/ledger-lines.ts';
import type { StreamEventClass } from '../../contracts/stream-event-class.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { carriesError } from '../../wire/api-error.ts';
import { asArray, asName, asObject, type JsonObject, parseObject } from '../../wire/json-fields.ts';
import type { StreamEvent, TextStep } from '../../wire/text-stream.ts';

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
