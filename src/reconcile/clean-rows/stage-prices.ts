import { KIND_NUMBER } from '../../ledger/store/import-calls.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import { fitsBigint } from '../../pricebook/cells/price-sql.ts';

/** Stages price cells as table `price_cells`, one row for each kind of call; names are kept in their JSON form. */
export async function stagePrices(store: Store, cells: readonly PriceCell[]): Promise<void> {
  const whole = cells.every(fitsBigint) ? 'BIGINT' : 'HUGEINT';
  await store.run(`CREATE OR REPLACE TABLE price_cells (cell INTEGER, book VARCHAR, version VARCHAR, model VARCHAR,
    endpoint TINYINT, len_from BIGINT, len_to BIGINT, valid_from_s DOUBLE, valid_to_s DOUBLE,
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
}

/** A call finds its price by equality alone: with a condition instead each call would meet the prices of all kinds. */
function kindsOf({ endpoint }: PriceCell): readonly number[] {
  if (endpoint === null) return [...KIND_NUMBER.values()];
  const number = KIND_NUMBER.get(endpoint);
  return number === undefined ? [] : [number];
}
