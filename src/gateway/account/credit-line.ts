import type { PicoUsd } from '../../core/amount.ts';
import type { Credit } from '../events/books-event.ts';

interface Slice {
  readonly receipt: string | null;
  /** Sum of the credits up to and with this one. */
  readonly upTo: PicoUsd;
}

/**
 * The credits of an account in the order in which they came. Charges draw on the oldest first; what is drawn
 * beyond all of them is covered by the next credit, and belongs to no receipt.
 */
export class CreditLine {
  readonly #slices: Slice[] = [];
  #added: PicoUsd = 0n;
  #drawn: PicoUsd = 0n;
  /** All slices before this one are used up. */
  #first = 0;

  get drawn(): PicoUsd {
    return this.#drawn;
  }

  credits(): readonly Credit[] {
    return this.#slices.map(({ receipt, upTo }, at) => ({
      receipt,
      amount: upTo - (this.#slices[at - 1]?.upTo ?? 0n),
    }));
  }

  has(receipt: string): boolean {
    return this.#slices.some((slice) => slice.receipt === receipt);
  }

  add({ receipt, amount }: Credit): void {
    this.#added += amount;
    this.#slices.push({ receipt, upTo: this.#added });
  }

  /** A negative amount is given back. */
  draw(amount: PicoUsd): void {
    this.#drawn += amount;
    if (amount < 0n) this.#first = 0;
    while (this.#isUsedUp(this.#slices[this.#first])) this.#first += 1;
  }

  /** The receipts of the credits on which a charge of this amount draws now, oldest first. */
  receiptsFor(amount: PicoUsd): readonly string[] {
    if (amount <= 0n) return [];
    const receipts: string[] = [];
    let from = this.#slices[this.#first - 1]?.upTo ?? 0n;
    for (let at = this.#first; at < this.#slices.length && from < this.#drawn + amount; at += 1) {
      const { receipt, upTo } = this.#slices[at] ?? { receipt: null, upTo: from };
      const hasLeft = upTo > this.#drawn && upTo > from;
      if (hasLeft && receipt !== null) receipts.push(receipt);
      if (upTo > from) from = upTo;
    }
    return receipts;
  }

  #isUsedUp(slice: Slice | undefined): boolean {
    return slice !== undefined && slice.upTo <= this.#drawn;
  }
}
