import { compareText } from '../../core/compare-text.ts';

/** Names of one model, as the bill and the calls write it; a bill's name of no call stands alone. */
export interface ModelGroup {
  /** What a report calls it. */
  readonly name: string;
  readonly billed: readonly string[];
  readonly called: readonly string[];
}

/**
 * Brings the names of a bill and of the calls together: the same name, else the same one without its provider, date and
 * case, where a gateway may lawfully name a model in each of these ways. What is left on both sides is one group: its
 * sums must agree, whatever is called what.
 */
export function modelGroups(billed: readonly string[], called: readonly string[]): readonly ModelGroup[] {
  const bareBilled = Map.groupBy([...new Set(billed)].toSorted(compareText), bareName);
  const bareCalled = Map.groupBy([...new Set(called)].toSorted(compareText), bareName);
  const keys = [...new Set([...bareBilled.keys(), ...bareCalled.keys()])].toSorted(compareText);
  const shared = keys.filter((key) => bareBilled.has(key) && bareCalled.has(key));
  const paired = shared.flatMap((key) => pairsOf(bareBilled.get(key) ?? [], bareCalled.get(key) ?? []));
  const alone = (side: ReadonlyMap<string, readonly string[]>): readonly string[] =>
    keys.filter((key) => !shared.includes(key)).flatMap((key) => side.get(key) ?? []);
  const [onlyBilled, onlyCalled] = [alone(bareBilled), alone(bareCalled)];
  if (onlyBilled.length > 0 && onlyCalled.length > 0)
    return [...paired, { name: 'other names', billed: onlyBilled, called: onlyCalled }];
  return [
    ...paired,
    ...onlyBilled.map((name) => ({ name, billed: [name], called: [] })),
    ...onlyCalled.map((name) => ({ name, billed: [], called: [name] })),
  ];
}

/** Each name by itself where both sides have the same ones; else all together. */
function pairsOf(billed: readonly string[], called: readonly string[]): readonly ModelGroup[] {
  if (billed.join('\n') === called.join('\n'))
    return billed.map((name) => ({ name, billed: [name], called: [name] }));
  return [{ name: billed[0] ?? '', billed, called }];
}

const DATE = /[-@](?:\d{4}-\d{2}-\d{2}|\d{8})$/;

function bareName(name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return own.replace(DATE, '').replace(/-latest$/, '');
}
