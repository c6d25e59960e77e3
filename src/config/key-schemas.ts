import * as z from 'zod';

const SHARE_RULE = 'must be a share from 0 to 1 with at most 6 decimals';

/** A share that millionths hold exactly, so that counts over blocks of calls come out whole. */
export const share = z
  .number({ error: SHARE_RULE })
  .refine((value) => value >= 0 && value <= 1 && Number(value.toFixed(6)) === value, { error: SHARE_RULE });

/** A whole number within bounds, both of which it can be. */
export function wholeBetween(least: number, most: number) {
  return z.int().min(least).max(most);
}

/** A key that may be left out, and what `docs/config.md` says of it. */
export function optional<S extends z.ZodType>(schema: S, text: string) {
  return schema.optional().describe(text);
}

/** Where a check of several keys says what is wrong. */
export interface Issues {
  addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string }): void;
}

/** Refuses the key at `path` of what is checked. */
export function refuse(context: Issues, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}

/** Refuses each name that stands before in the list of this key. */
export function refuseTwins(
  context: Issues,
  list: string,
  names: readonly (string | undefined)[],
  path: readonly string[] = [],
): void {
  names.forEach((name, index) => {
    const first = names.indexOf(name);
    if (name === undefined || first === index) return;
    refuse(context, [...path, index, 'name'], `is also the name of ${list}[${first}]`);
  });
}
