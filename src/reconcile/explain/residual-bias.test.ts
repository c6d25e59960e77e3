import { expect, test } from 'vitest';
import { rational } from '../../core/rational.ts';
import { divideRounded, type RoundingMode } from '../../core/rounding.ts';
import { DEFAULT_ROUNDING, plainBook } from '../../pricebook/adapters/plain-model.ts';
import { contextOf } from '../../pricebook/charge/charge-context.ts';
import { NO_FACTS } from '../../pricebook/charge/charge-facts.ts';
import type { PricedRow } from './mismatched-row.ts';
import { residualBias } from './residual-bias.ts';

const QUANTUM = 10_000n;
const book = plainBook({ kind: 'yaml', sha256: '', fetched_at: null }, [], {
  pricebook_id: 'pb',
  pricing_version: 'v1',
  rounding: DEFAULT_ROUNDING,
});

function rows(count: number, mode: RoundingMode): readonly PricedRow[] {
  return Array.from({ length: count }, (_, index) => {
    const sum = BigInt(1_000_003 + index * 7919);
    const charged = divideRounded(sum, QUANTUM, mode) * QUANTUM;
    return {
      key: `${index}`,
      record_id: `${index}`,
      charged,
      due: charged,
      exact: rational(sum, 10n ** 12n),
      reserved: null,
      facts: NO_FACTS,
      context: contextOf('m', 'chat'),
      book,
      rounding_open: false,
    };
  });
}

test('amounts rounded one way lean to that side', () => {
  expect(residualBias(rows(400, 'ceil'))?.mean_thousandths).toBeGreaterThan(450n);
  expect(residualBias(rows(400, 'trunc'))?.mean_thousandths).toBeLessThan(-450n);
});

test('amounts rounded to the nearest do not lean, and few rows tell nothing', () => {
  expect(residualBias(rows(400, 'half_up'))).toBeNull();
  expect(residualBias(rows(199, 'ceil'))).toBeNull();
});
