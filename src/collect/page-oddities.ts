import type { UsagePageQuery } from '../client/dialects/bill-reader.ts';
import type { UsagePageFrame } from '../client/wire-schemas.ts';
import type { ReadOddity, ReadOddityKind } from '../contracts/usage-lines.ts';

/** A record as far as a reader looks into it. */
export interface GlancedRecord {
  readonly id: string | null;
  readonly request_id: string | null;
  readonly model: string | null;
  /** Unix seconds. */
  readonly created_at: number | null;
}

/** An id or a time that a target makes of megabytes stands in no line of our files. */
const LONGEST_TEXT = 1_000;

export function glance(record: unknown): GlancedRecord {
  const field = (name: string): unknown =>
    typeof record === 'object' && record !== null ? Reflect.get(record, name) : undefined;
  const text = (name: string): string | null => {
    const value = field(name);
    return typeof value === 'string' ? value : null;
  };
  const second = field('created_at');
  return {
    id: text('id'),
    request_id: text('request_id'),
    model: text('model'),
    created_at: typeof second === 'number' && Number.isSafeInteger(second) ? second : null,
  };
}

/** What a page shows by itself: other records than were asked for, or another window. */
export function* pageOddities(
  page: UsagePageFrame,
  records: readonly GlancedRecord[],
  { window, model, requestId }: UsagePageQuery,
): Generator<ReadOddity> {
  const outside = records.filter(
    ({ created_at: second }) => second !== null && (second < window.start || second >= window.end),
  );
  const places = `asked for ${window.start}–${window.end}`;
  yield* shown('outside_window', outside, (one) => `${places}, record ${one.id} is of ${one.created_at}`);
  if (model !== undefined) {
    const others = records.filter((one) => one.model !== null && one.model !== model);
    yield* shown('stray_model', others, (one) => `asked for ${model}, record ${one.id} is of ${one.model}`);
  }
  if (requestId !== undefined) {
    const others = records.filter((one) => one.request_id !== null && one.request_id !== requestId);
    yield* shown(
      'stray_request_id',
      others,
      (one) => `asked for ${requestId}, record ${one.id} is of ${one.request_id}`,
    );
  }
  const served = [page.start_time, page.end_time];
  const asked = [window.start, window.end];
  if (served.some((time, index) => time !== undefined && time !== asked[index])) {
    const text = `window_differs: asked ${window.start}–${window.end}, served ${String(served[0])}–${String(served[1])}`;
    yield { kind: 'window_differs', count: 1, text: text.slice(0, LONGEST_TEXT) };
  }
}

function* shown(
  kind: ReadOddityKind,
  records: readonly GlancedRecord[],
  words: (record: GlancedRecord) => string,
): Generator<ReadOddity> {
  const [first] = records;
  if (first === undefined) return;
  yield { kind, count: records.length, text: `${kind}: ${words(first)}`.slice(0, LONGEST_TEXT) };
}
