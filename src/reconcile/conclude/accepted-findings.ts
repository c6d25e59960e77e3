import { type Accepted, type AcceptedCause, isOfCause } from '../../contracts/acceptance.ts';
import type { Finding } from '../../contracts/finding.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { parseInstant } from '../../core/time.ts';
import type { Tolerances } from '../input/reconcile-input.ts';
import { gates } from './finding-groups.ts';

export interface AcceptedFindings {
  readonly accepted: readonly Accepted[];
  /** Ids of findings that do not gate by it. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Takes each finding that gates to the first acceptance that names its cause. One that is over covers none of them. The
 * moment of the last read decides, so that a folder judged again gives the same verdict.
 */
export function acceptedFindings(
  findings: readonly Finding[],
  tolerances: Tolerances,
  readMs: number | null,
): AcceptedFindings {
  const gating = findings.filter((finding) => gates(finding, tolerances));
  const covering = Map.groupBy(gating, (finding) =>
    tolerances.accept.find(({ cause }) => isOfCause(cause, finding)),
  );
  const judged = tolerances.accept.map((each) => {
    const own = covering.get(each) ?? [];
    const usd = mostOf(own);
    return { own, accepted: { ...each, state: stateOf(each, usd, readMs), findings: own.length, usd } };
  });
  const held = judged.filter(({ accepted }) => accepted.state === 'holds');
  return {
    accepted: judged.map(({ accepted: { usd, ...rest } }) => ({
      ...rest,
      usd: usd === null ? null : formatAmount(usd),
    })),
    ids: new Set(held.flatMap(({ own }) => own.map(({ id }) => id))),
  };
}

/** Where nothing was read, no moment says that it still holds. */
function stateOf(
  { until, up_to_usd }: AcceptedCause,
  usd: PicoUsd | null,
  readMs: number | null,
): Accepted['state'] {
  const end = parseInstant(until);
  if (end === null || readMs === null || readMs >= end) return 'expired';
  return usd === null || usd > (parseAmount(up_to_usd) ?? 0n) ? 'exceeded' : 'holds';
}

/** The most that findings can come to, in either direction; null where one is wrong by an unknown amount. */
function mostOf(findings: readonly Finding[]): PicoUsd | null {
  return findings.reduce<PicoUsd | null>((sum, { direction, delta_min, delta_max }) => {
    const bounds = [delta_min, delta_max].flatMap((text) => (text === null ? [] : (parseAmount(text) ?? [])));
    const sizes = bounds.map((bound) => (bound < 0n ? -bound : bound));
    if (sum === null || (sizes.length < 2 && direction !== 'none')) return null;
    return sizes.reduce((most, size) => (size > most ? size : most), 0n) + sum;
  }, 0n);
}
