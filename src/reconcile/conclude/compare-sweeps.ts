import type { CoverageResult } from '../../contracts/coverage-result.ts';
import { acceptedOfSweep, type JudgedSweep, ofSweep } from '../input/judged-sweep.ts';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import { type ComparedTotals, compareTotals } from '../records/totals-disagreements.ts';

/** The totals of the judged sweep against its records, and those of the whole sweep before it. */
export function comparedSweeps(
  input: ReconcileInput,
  own: JudgedSweep,
): { readonly judged: ComparedTotals; readonly before: ComparedTotals | null } {
  function compared(of: number | null): ComparedTotals {
    const lines = input.totals.filter((line) => line.sweep === of);
    return compareTotals(lines, ofSweep(own.versions, of, input.reads), acceptedOfSweep(input, of));
  }
  const earlier = input.reads
    .filter((read) => read.read === 'sweep_end' && read.complete === true && read.sweep < (own.sweep ?? 0))
    .map((read) => read.sweep);
  const judged = compareTotals(own.totals, own.swept, own.accepted);
  return { judged, before: earlier.length === 0 ? null : compared(Math.max(...earlier)) };
}

/** How the totals were read, for the settings that are shown. */
export function totalsSettings({ totals, reading }: ComparedTotals): CoverageResult['settings'] {
  if (totals === null) return [];
  const evidence = 'the reading under which most figures of the totals equal the records';
  return [
    { name: 'totals_settled', value: reading.settled, evidence },
    { name: 'totals_pending', value: reading.pending, evidence },
    { name: 'totals_refunded', value: reading.refunded, evidence },
  ];
}
