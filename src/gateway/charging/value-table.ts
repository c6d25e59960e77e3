/** Values that many rows share, each kept once and named by its index. */
export class ValueTable<V> {
  readonly #nameOf: (value: V) => string;
  readonly #indexes = new Map<string, number>();
  readonly #values: V[] = [];

  /** `nameOf`: equal for equal values only. */
  constructor(nameOf: (value: V) => string) {
    this.#nameOf = nameOf;
  }

  indexOf(value: V): number {
    const name = this.#nameOf(value);
    const held = this.#indexes.get(name);
    if (held !== undefined) return held;
    this.#indexes.set(name, this.#values.length);
    this.#values.push(value);
    return this.#values.length - 1;
  }

  /** Throws RangeError for an index that was never given. */
  at(index: number | undefined): V {
    const value = this.#values[index ?? -1];
    if (value === undefined) throw new RangeError(`no value has the index ${index}`);
    return value;
  }
}
