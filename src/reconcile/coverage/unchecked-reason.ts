import { type CoverageResult, WITHOUT_A_LOG } from '../../contracts/coverage-result.ts';

const SCALE = 1_000_000_000;

/** Of all charged money: what is right of less is no verdict on a bill. */
const LEAST_OF_ALL = 0.01;

/**
 * Why a bill without findings is no verdict: too little of its money was checked; null where enough was. `minChecked`
 * counts what can be decided: with records alone nobody can do more.
 */
export function uncheckedReason(coverage: CoverageResult, minChecked: number): string | null {
  const { to_the_digit, within_bounds, consistent, provisional, not_checkable_why } = coverage;
  if (to_the_digit === null) return null;
  const untold = coverage.untold ?? 0;
  // What only agrees with prices that were made of it proves none of them.
  const checked = to_the_digit + (within_bounds ?? 0) - (consistent ?? 0);
  const enough =
    isAtLeast(checked, minChecked * (1 - untold)) && isAtLeast(checked, Math.min(minChecked, LEAST_OF_ALL));
  if (enough) return null;
  const largest = not_checkable_why.find(({ why }) => !why.startsWith(WITHOUT_A_LOG));
  const rest = [
    ...(untold === 0 ? [] : [`${percent(untold)} ${WITHOUT_A_LOG}`]),
    ...(largest === undefined || largest.share === 0
      ? []
      : [`${percent(largest.share)} could not: ${largest.why}`]),
    ...((consistent ?? 0) === 0
      ? []
      : [`${percent(consistent)} is only consistent with prices or a rounding inferred from itself`]),
    ...((provisional ?? 0) === 0 ? [] : [`${percent(provisional)} is provisional`]),
  ];
  return [
    `too little could be checked to judge: only ${percent(checked)} of the charged money`,
    ...rest,
  ].join('; ');
}

/** Why nothing was checked at all. */
export function nothingCheckedReason({ untold }: CoverageResult): string {
  const why = (untold ?? 0) === 0 ? '' : `: ${percent(untold)} of the charged money ${WITHOUT_A_LOG}`;
  return `nothing could be checked${why}`;
}

function isAtLeast(share: number, least: number): boolean {
  return Math.round(share * SCALE) >= Math.round(least * SCALE);
}

function percent(share: number | null): string {
  const of = share ?? 0;
  const nearAnEnd = (of > 0 && of < 0.01) || (of > 0.99 && of < 1);
  return `${(of * 100).toFixed(nearAnEnd ? 2 : 1)} %`;
}
