import type { CoverageResult } from '../../core/result.ts';

const SCALE = 1_000_000_000;

/** Why a bill without findings is no verdict: too little of its money was checked; null where enough was. */
export function uncheckedReason(coverage: CoverageResult, minChecked: number): string | null {
  const { to_the_digit, within_bounds, consistent, provisional, not_checkable_why } = coverage;
  if (to_the_digit === null) return null;
  // What only agrees with prices that were made of it proves none of them.
  const checked = to_the_digit + (within_bounds ?? 0) - (consistent ?? 0);
  if (Math.round(checked * SCALE) >= Math.round(minChecked * SCALE)) return null;
  const [largest] = not_checkable_why;
  const rest = [
    ...(largest === undefined || largest.share === 0
      ? []
      : [`${percent(largest.share)} could not: ${largest.why}`]),
    ...((consistent ?? 0) === 0
      ? []
      : [`${percent(consistent)} is only consistent with prices or a rounding inferred from itself`]),
    ...((provisional ?? 0) === 0 ? [] : [`${percent(provisional)} is provisional`]),
  ];
  return [`only ${percent(checked)} of the charged money could be checked`, ...rest].join('; ');
}

function percent(share: number | null): string {
  return `${((share ?? 0) * 100).toFixed(1)} %`;
}
