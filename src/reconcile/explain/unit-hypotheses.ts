import type { PriceComponent } from '../../contracts/price-book.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import { entriesOf, kindOf } from '../../pricebook/charge/match-model.ts';
import { type Hypothesis, RANK } from './hypothesis.ts';
import { knownCount, lineHypothesis } from './line-hypothesis.ts';
import type { MismatchedRow } from './mismatched-row.ts';
import type { MismatchedCell } from './price-cell.ts';

/** Longer videos than this are not tried. */
const MOST_SECONDS = 60;

/** Images of another size, quality or number; videos of another resolution or length. */
export function unitHypotheses({ book, model, endpoint }: MismatchedCell): readonly Hypothesis[] {
  const kind = kindOf(endpoint);
  if (kind === 'text') return [];
  const components = entriesOf(book, model).flatMap((entry) => entry.components);
  if (kind === 'image') return [...imageTiers(components), numberIgnored()];
  return [...videoTiers(components), ...lengths()];
}

function imageTiers(components: readonly PriceComponent[]): readonly Hypothesis[] {
  const tiers = new Map(
    components
      .filter(({ meter }) => meter === 'image')
      .map(({ size, quality }) => [[size, quality].filter(Boolean).join('/'), { size, quality }]),
  );
  return ordered(tiers).map(([name, { size, quality }]) =>
    lineHypothesis({
      name: `units:${name}`,
      class: 'image_price',
      told: `the images are charged as ${name}`,
      applies: ({ facts }) => facts.images !== null,
      facts: (facts) => ({
        ...facts,
        size: size ?? facts.size,
        quality: quality ?? facts.quality,
      }),
    }),
  );
}

function numberIgnored(): Hypothesis {
  return lineHypothesis({
    name: 'units:1',
    class: 'image_price',
    told: 'one image is charged however many there were',
    applies: ({ facts }) => knownCount(facts.images) > 1n,
    facts: (facts) => ({ ...facts, images: 1n }),
  });
}

function videoTiers(components: readonly PriceComponent[]): readonly Hypothesis[] {
  const tiers = new Map(
    components.flatMap(({ meter, resolution }) =>
      meter === 'video_second' && resolution !== undefined ? [[resolution, resolution]] : [],
    ),
  );
  return ordered(tiers).map(([name, resolution]) =>
    lineHypothesis({
      name: `units:${name}`,
      class: 'video_units_wrong',
      confidence: 'strong',
      told: `the video is charged as ${name}`,
      applies: ({ facts }) => facts.seconds !== null,
      facts: (facts) => ({ ...facts, resolution }),
    }),
  );
}

/** Another length; one that is not at least twice or half as long is told from a factor by several rows only. */
function lengths(): readonly Hypothesis[] {
  const seconds = Array.from({ length: MOST_SECONDS }, (_, index) => BigInt(index + 1));
  return seconds.flatMap((length) => {
    const parts = {
      name: `units:${length}s`,
      class: 'video_units_wrong',
      confidence: 'strong',
      told: `the video is charged as ${length} s long`,
      facts: (facts: ChargeFacts): ChargeFacts => ({ ...facts, seconds: length, seconds_exact: null }),
    } as const;
    return [
      lineHypothesis({ ...parts, applies: ({ facts }) => isFar(facts.seconds, length) }),
      lineHypothesis({
        ...parts,
        needs: { rows: 2, amounts: 1, dues: 2 },
        applies: ({ facts }) => facts.seconds !== null,
      }),
    ];
  });
}

function isFar(asked: ChargeFacts['seconds'], length: bigint): boolean {
  const own = knownCount(asked);
  return own > 0n && (length >= own * 2n || length * 2n <= own);
}

function ordered<T>(tiers: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...tiers].sort(([left], [right]) => compareText(left, right));
}

const LEAST_ROWS = 3;

/** Calls that should cost several sums below it, and cost exactly this one: the sum that most rows share. */
export function minimumHypothesis(rows: readonly MismatchedRow[]): Hypothesis | null {
  const byAmount = Map.groupBy(rows, ({ charged }) => charged);
  let best: { readonly amount: PicoUsd; readonly rows: number } | null = null;
  for (const [amount, held] of byAmount) {
    const lifted = held.filter(({ due }) => due > 0n && due < amount);
    const more = best === null || lifted.length > best.rows;
    const asMany = best !== null && lifted.length === best.rows && amount < best.amount;
    if (lifted.length >= LEAST_ROWS && (more || asMany)) best = { amount, rows: lifted.length };
  }
  if (best === null) return null;
  const { amount } = best;
  const text = formatAmount(amount);
  return {
    name: `minimum:${text}`,
    class: 'minimum_charge_unexpected',
    rank: RANK.minimum,
    confidence: 'proved',
    told: `a call costs ${text} USD at least`,
    needs: { rows: LEAST_ROWS, amounts: 1, dues: 2 },
    general: true,
    charge: ({ due }) => (due > 0n && due < amount ? { lo: amount, hi: amount } : null),
  };
}
