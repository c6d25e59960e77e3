import { COMPARED_MEASURES, type ComparedFigure } from '../../contracts/comparison.ts';
import { ascending } from '../latency-table.ts';
import type { KindSample } from './kind-sample.ts';
import { type SampleFigure, sampleFigures } from './sample-figures.ts';

/** Of 100 comparisons of equal runs one shows a difference. */
const CONFIDENCE = 0.99;

/** Every measure of every kind that both runs have. The same samples give the same figures. */
export function compareSamples(
  before: readonly KindSample[],
  after: readonly KindSample[],
): readonly ComparedFigure[] {
  return before.flatMap((sample) => {
    const other = after.find(({ kind }) => kind === sample.kind);
    if (other === undefined) return [];
    const [left, right] = [sampleFigures(sample, 'before'), sampleFigures(other, 'after')];
    return COMPARED_MEASURES.flatMap((measure) => {
      const [one, two] = [left.get(measure), right.get(measure)];
      if (one === undefined || two === undefined) return [];
      return [{ kind: sample.kind, measure, ...compared(one, two) }];
    });
  });
}

function compared(before: SampleFigure, after: SampleFigure): Omit<ComparedFigure, 'kind' | 'measure'> {
  const difference = after.value - before.value;
  const change = before.value === 0 ? null : rounded(difference / before.value);
  const figures = { before: rounded(before.value), after: rounded(after.value), change };
  const { resampled } = before;
  if (resampled === null || after.resampled === null) {
    return { ...figures, low: null, high: null, verdict: 'too_few_calls' };
  }
  const differences = after.resampled.map((value, index) => value - (resampled[index] ?? Number.NaN));
  const sorted = ascending(differences.filter(Number.isFinite));
  const tail = Math.floor(((1 - CONFIDENCE) / 2) * sorted.length);
  const low = sorted[tail] ?? null;
  const high = sorted[sorted.length - 1 - tail] ?? null;
  if (low === null || high === null) return { ...figures, low: null, high: null, verdict: 'too_few_calls' };
  const verdict = low > 0 ? 'worse' : high < 0 ? 'better' : 'same';
  return { ...figures, low: rounded(low), high: rounded(high), verdict };
}

/** Nine digits: more than was measured, and the same on every machine. */
function rounded(value: number): number {
  return Number(value.toPrecision(9));
}
