import type { ApiKey } from '../account/account.ts';
import type { Gateway } from '../parts/gateway.ts';

/** Makes the rows of these keys from the books. */
type RowMaker<R> = (gateway: Gateway, keys: readonly ApiKey[]) => readonly R[];

/** The same rows as long as the books stand still: a walk of pages makes them once. */
export function keptRows<R>(make: RowMaker<R>): RowMaker<R> {
  const held = new WeakMap<Gateway, { readonly stamp: string; readonly rows: readonly R[] }>();
  return (gateway, keys) => {
    const ordinals = keys.map(({ ordinal }) => ordinal).join(' ');
    const stamp = `${gateway.records.changes} ${gateway.details?.changes} ${gateway.prices.versions.length} ${ordinals}`;
    const before = held.get(gateway);
    if (before?.stamp === stamp) return before.rows;
    const rows = make(gateway, keys);
    held.set(gateway, { stamp, rows });
    return rows;
  };
}
