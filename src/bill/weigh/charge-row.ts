/**
 * A charge of ours as the bill may hold it: pico USD or tokens, exact or within bounds. It may be dated anywhere from
 * `from` to `to`, seconds UTC.
 */
export interface ChargeRow {
  readonly model: string;
  readonly from: number;
  readonly to: number;
  readonly lo: bigint;
  /** Null where nothing says how much it can be. */
  readonly hi: bigint | null;
}
