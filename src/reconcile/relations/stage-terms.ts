import { TEXT_KINDS } from '../../core/call-kind.ts';
import type { PriceBound } from '../../core/plan.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/price-cell.ts';
import { fitsBigint } from '../../pricebook/price-sql.ts';

/**
 * Stages price cells as table `price_cells`, one row for each kind of call, and the spend cap's bounds as `bounds`; names
 * are kept in their JSON form.
 */
export async function stageTerms(
  store: Store,
  cells: readonly PriceCell[],
  bounds: readonly PriceBound[],
): Promise<void> {
  const whole = cells.every(fitsBigint) ? 'BIGINT' : 'HUGEINT';
  await store.run(`CREATE OR REPLACE TABLE price_cells (cell INTEGER, book VARCHAR, version VARCHAR, model VARCHAR,
    endpoint VARCHAR, len_from BIGINT, len_to BIGINT, valid_from_s DOUBLE, valid_to_s DOUBLE,
    p_in ${whole}, p_out ${whole}, p_read ${whole}, p_write ${whole}, p_unit ${whole}, p_request ${whole},
    d ${whole}, quantum_pico ${whole}, mode INTEGER, min_pico ${whole}, min_at_zero BOOLEAN)`);
  await store.append(
    'price_cells',
    cells.flatMap((cell) =>
      kindsOf(cell).map((kind) => [
        cell.cell,
        JSON.stringify(cell.pricebook_id),
        JSON.stringify(cell.pricing_version),
        JSON.stringify(cell.model),
        kind,
        cell.len_from,
        cell.len_to,
        cell.valid_from_s,
        cell.valid_to_s,
        cell.p_in,
        cell.p_out,
        cell.p_read,
        cell.p_write,
        cell.p_unit,
        cell.p_request,
        cell.d,
        cell.quantum_pico,
        cell.mode,
        cell.min_pico,
        cell.min_at_zero,
      ]),
    ),
  );
  await store.run(`CREATE OR REPLACE TABLE bounds (model VARCHAR, kind VARCHAR, per_in HUGEINT, per_out HUGEINT,
    fixed HUGEINT, obeyed BOOLEAN)`);
  await store.append(
    'bounds',
    bounds.map((bound) => [
      JSON.stringify(bound.model),
      bound.kind,
      BigInt(bound.per_input_token),
      BigInt(bound.per_output_token),
      BigInt(bound.fixed),
      bound.limit_obeyed,
    ]),
  );
}

/** A call finds its price by equality alone: with a condition instead each call would meet the prices of all kinds. */
function kindsOf({ endpoint }: PriceCell): readonly string[] {
  return endpoint === null ? TEXT_KINDS : [endpoint];
}
