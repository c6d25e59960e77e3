import type { LogicalCall } from './logical-call.ts';

/** Failed calls of one code over time, by the bucket of their end. */
export interface FailureSeries {
  /** The gateway's error code, else status and outcome; `other` for all codes beyond the commonest. */
  readonly code: string;
  readonly counts: readonly number[];
}

/** More lines than this cannot be told apart in one chart. */
const MOST_CODES = 6;

/** Commonest code first; what we ended ourselves did not fail. */
export function failureSeries(
  calls: readonly LogicalCall[],
  length: number,
  bucketOf: (at: number) => number,
): readonly FailureSeries[] {
  const failed = calls.filter((call) => call.judged && call.last.outcome !== 'ok');
  const byCode = [...Map.groupBy(failed, codeOf)].sort(
    ([left, one], [right, other]) => other.length - one.length || (left < right ? -1 : 1),
  );
  const shown = byCode.length > MOST_CODES ? byCode.slice(0, MOST_CODES - 1) : byCode;
  const rest = byCode.slice(shown.length).flatMap(([, of]) => of);
  const all = rest.length === 0 ? shown : [...shown, ['other', rest] as const];
  return all.map(([code, of]) => {
    const counts = Array.from({ length }, () => 0);
    for (const { endedAt } of of) {
      const bucket = bucketOf(endedAt);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    return { code, counts };
  });
}

function codeOf({ last: { error_code, status, outcome } }: LogicalCall): string {
  return error_code ?? (status === null || status < 400 ? outcome : `${status} ${outcome}`);
}
