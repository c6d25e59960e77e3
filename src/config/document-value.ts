/** A value as it stands in weighbridge.yaml. A map keeps the order of model ids that look like numbers. */
export type DocumentValue =
  | string
  | number
  | boolean
  | null
  | readonly DocumentValue[]
  | ReadonlyMap<string, DocumentValue>
  | { readonly [key: string]: DocumentValue };

export type DocumentMap = { [key: string]: DocumentValue };

/** Without what is null: its key has no text for it. */
export function set(section: { readonly [key: string]: DocumentValue }): DocumentMap {
  return Object.fromEntries(
    Object.entries(section).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}
