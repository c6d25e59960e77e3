import type { ChargeLine } from '../../contracts/reconciliation.ts';

/** The lines of several possible charges as one list: what differs between them stands beside each other. */
export function mergedLines(charges: readonly (readonly ChargeLine[])[]): readonly ChargeLine[] {
  const byMeter = Map.groupBy(charges.flat(), ({ meter }) => meter);
  return [...byMeter.values()].map((lines) => {
    const all = (key: keyof ChargeLine): string => [...new Set(lines.map((line) => line[key]))].join(' | ');
    return {
      meter: all('meter'),
      units: all('units'),
      price: all('price'),
      per: all('per'),
      subtotal: all('subtotal'),
    };
  });
}
