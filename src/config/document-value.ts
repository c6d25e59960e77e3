/** A value as it stands in weighbridge.yaml. A map keeps the order of model ids that look like numbers. */
export type DocumentValue =
  | string
  | number
  | boolean
  | readonly DocumentValue[]
  | ReadonlyMap<string, DocumentValue>
  | { readonly [key: string]: DocumentValue };
