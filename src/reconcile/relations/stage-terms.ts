import type { PriceBound } from '../../core/plan.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/price-cell.ts';

/** Stages price cells as table `price_cells` and the spend cap's bounds as `bounds`; names are kept in their JSON form. */
export async function stageTerms(
  store: Store,
  cells: readonly PriceCell[],
  bounds: readonly PriceBound[],
): Promise<void> {
  await store.run(`CREATE OR REPLACE TABLE price_cells (cell INTEGER, book VARCHAR, version VARCHAR, model VARCHAR,
    endpoint VARCHAR, len_from BIGINT, len_to BIGINT, valid_from_s DOUBLE, valid_to_s DOUBLE,
    p_in HUGEINT, p_out HUGEINT, p_read HUGEINT, p_write HUGEINT, p_unit HUGEINT, p_request HUGEINT,
    d HUGEINT, quantum_pico HUGEINT, mode INTEGER, min_pico HUGEINT, min_at_zero BOOLEAN)`);
  await store.append(
    'price_cells',
    cells.map((cell) => [
      cell.cell,
      JSON.stringify(cell.pricebook_id),
      JSON.stringify(cell.pricing_version),
      JSON.stringify(cell.model),
      cell.endpoint,
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
