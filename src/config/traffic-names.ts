import * as z from 'zod';
import type { PaidKind } from '../core/call-kind.ts';

/** Name of a scenario: safe in k6 options, file names and tables. */
export const scenarioName = z.string().regex(/^[0-9a-zA-Z_-]{1,64}$/, {
  error: 'must be a name of 1 to 64 letters, digits, "_" or "-"',
});

interface Nameable {
  readonly name?: string | undefined;
  readonly kind: PaidKind;
}

/** Gives each entry without a name that of its kind, numbered from the second on: chat, chat-2. */
export function nameTraffic<T extends Nameable>(entries: readonly T[]): (T & { name: string })[] {
  const given = new Set(entries.map((entry) => entry.name));
  const taken = new Set<string>();
  return entries.map((entry) => {
    const name =
      entry.name ?? freeName(entry.kind, (candidate) => given.has(candidate) || taken.has(candidate));
    taken.add(name);
    return { ...entry, name };
  });
}

function freeName(kind: PaidKind, isTaken: (name: string) => boolean): string {
  if (!isTaken(kind)) return kind;
  let number = 2;
  while (isTaken(`${kind}-${number}`)) number += 1;
  return `${kind}-${number}`;
}
