import { signedUsd, usd } from './figure-text.ts';
import { type Block, table, type WaterfallStep } from './report-document.ts';

/** The figures of a waterfall, which is what stands beside its picture and in its place. */
export function waterfallTable(steps: readonly WaterfallStep[]): Extract<Block, { type: 'table' }> {
  return table(
    ['from expected to charged', '#USD'],
    steps.map(({ label, role, amount }) => [label, role === 'sum' ? `${usd(amount)}` : signedUsd(amount)]),
  );
}
