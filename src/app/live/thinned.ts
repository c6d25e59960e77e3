import { isPaidKind } from '../../core/call-kind.ts';

/** Rows of a look that are read at most, of those that say ok and of the others each: there are two looks a second. */
export const MOST_ROWS = 250;

const KIND = /"kind":"([a-z_]+)"/;
const OK = '"outcome":"ok"';

export interface ChosenRow {
  readonly text: string;
  /** Rows for which it stands: whole, and over all of them as many as there were. */
  readonly weight: number;
}

/**
 * The rows of paid calls or, where they are many, an even choice of them, in their order: following a run must not slow the
 * load engine beside it. Failures are chosen apart, so that a rare one is not passed over among good calls.
 */
export function thinned(lines: readonly string[], most = MOST_ROWS): readonly ChosenRow[] {
  const paid = lines.filter((line) => isPaidKind(KIND.exec(line)?.[1] ?? ''));
  const ok = evenChoice(
    paid.filter((line) => line.includes(OK)),
    most,
  );
  const others = evenChoice(
    paid.filter((line) => !line.includes(OK)),
    most,
  );
  // An attempt stands before the one that follows it.
  return paid.flatMap((text) => {
    const weight = ok.get(text) ?? others.get(text);
    return weight === undefined ? [] : [{ text, weight }];
  });
}

/** The rows chosen, each with its weight; no two rows of a ledger are the same. */
function evenChoice(rows: readonly string[], most: number): ReadonlyMap<string, number> {
  const parts = Math.min(rows.length, most);
  const edge = (part: number) => Math.floor((part * rows.length) / parts);
  return new Map(
    Array.from({ length: parts }, (_, part) => [rows[edge(part)] ?? '', edge(part + 1) - edge(part)]),
  );
}
