import type { PlacedCall } from './evidence-importer.ts';

/**
 * Frameworks put a span of their own around that of the client library: both tell the same answer, and one
 * call. Of spans of one
 * trace with one response id only the innermost, which started last, is kept.
 */
export function withoutOuterSpans(
  calls: readonly PlacedCall[],
  leave: (reason: string) => void,
): readonly PlacedCall[] {
  const innermost = new Map<string, PlacedCall>();
  for (const placed of calls) {
    const key = answerOf(placed);
    const other = key === null ? undefined : innermost.get(key);
    if (key !== null && (other === undefined || isInside(placed, other))) innermost.set(key, placed);
  }
  return calls.filter((placed) => {
    const key = answerOf(placed);
    const kept = key === null || innermost.get(key) === placed;
    if (!kept) leave('spans around another span of the same answer');
    return kept;
  });
}

/** Started later, or at the same moment and ended earlier. */
function isInside({ call }: PlacedCall, { call: other }: PlacedCall): boolean {
  if (call.started_at !== other.started_at) return call.started_at > other.started_at;
  return (call.ended_at ?? '') < (other.ended_at ?? '');
}

function answerOf({ call }: PlacedCall): string | null {
  if (call.response_id == null) return null;
  return `${call.call_id.split('/')[0]} ${call.response_id}`;
}
