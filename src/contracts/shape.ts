import type { z } from 'zod';

/** What a schema gives, read-only to its depths. Fields that a loose object lets pass are not typed. */
export type Shape<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;

type ReadonlyDeep<T> = unknown extends T
  ? T
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T extends object
      ? { readonly [K in keyof T as Named<T, K>]: ReadonlyDeep<T[K]> }
      : T;

/** The key where the schema names it, or where all values of a record have one type. */
type Named<T, K extends keyof T> = string extends K ? (unknown extends T[K] ? never : K) : K;
