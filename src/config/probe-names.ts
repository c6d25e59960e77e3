import * as z from 'zod';

/** Safe as the value of a label, as the name of a folder and in an address. */
const LONGEST_PROBE_NAME = 100;

const RULE = `must be a name of at most ${LONGEST_PROBE_NAME} letters, digits, "_", "." or "-" that begins with a letter or digit`;

export const probeName = z
  .string({ error: RULE })
  .regex(new RegExp(`^[0-9a-zA-Z][0-9a-zA-Z_.-]{0,${LONGEST_PROBE_NAME - 1}}$`), { error: RULE });

/** The text with every character that no name holds replaced. */
export function safeName(text: string): string {
  const safe = text.replace(/[^0-9a-zA-Z_.-]+/g, '_').replace(/^[^0-9a-zA-Z]+/, '');
  return safe === '' ? 'unnamed' : safe.slice(0, LONGEST_PROBE_NAME);
}

/**
 * Gives each entry without a name that of `made`, numbered where it is taken. Names given are never moved. What differs
 * in case alone counts as the same: some file systems make no difference.
 */
export function nameProbes<T extends { readonly name: string | null }>(
  entries: readonly T[],
  made: (entry: T) => string,
): (T & { readonly name: string })[] {
  const taken = new Set(entries.flatMap(({ name }) => (name === null ? [] : [name.toLowerCase()])));
  return entries.map((entry) => {
    const name = entry.name ?? freeName(safeName(made(entry)), taken);
    taken.add(name.toLowerCase());
    return { ...entry, name };
  });
}

function freeName(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base.toLowerCase())) return base;
  let number = 2;
  const numbered = (): string => `${base.slice(0, LONGEST_PROBE_NAME - 6)}-${number}`;
  while (taken.has(numbered().toLowerCase())) number += 1;
  return numbered();
}
