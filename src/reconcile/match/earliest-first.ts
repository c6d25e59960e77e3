/** A heap that gives the least of its items first. */
export class EarliestFirst<T> {
  readonly #items: T[] = [];
  readonly #before: (left: T, right: T) => boolean;

  constructor(before: (left: T, right: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const pick = this.#lesserOf(left, left + 1);
      const below = items[pick];
      if (below === undefined || !this.#before(below, last)) break;
      items[at] = below;
      at = pick;
    }
    items[at] = last;
    return first;
  }

  #lesserOf(left: number, right: number): number {
    const one = this.#items[left];
    const other = this.#items[right];
    return one !== undefined && other !== undefined && this.#before(other, one) ? right : left;
  }
}
