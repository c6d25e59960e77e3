/** How one amount of a record is written, where a fault writes it wrongly. */
export type AmountWriter = (
  text: string,
  field: 'amount' | 'reserved_amount' | 'refunded_amount',
) => string | number;

/** Records whose amounts are served in a wrong form, whoever reads them: only a fault adds one. */
export class ServedForms {
  readonly #writers = new Map<string, AmountWriter>();

  set(recordId: string, writer: AmountWriter): void {
    this.#writers.set(recordId, writer);
  }

  of(recordId: string): AmountWriter | null {
    return this.#writers.size === 0 ? null : (this.#writers.get(recordId) ?? null);
  }
}
