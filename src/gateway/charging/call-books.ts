import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeRecord, TokenUsage } from '../events/charge-record.ts';
import type { RoundingRule } from '../prices/rounding-rule.ts';
import type { PriceHistory } from '../pricing/price-history.ts';
import type { ServedForms } from '../readings/served-forms.ts';
import { type ChargeLedger, hasRecord, type OpenCharge, type RecordChange } from './charge-ledger.ts';
import { costOf } from './credit-effect.ts';
import type { LateSettlements } from './late-settlements.ts';
import { type ChargedUnits, workCharge } from './priced-work.ts';
import type { RecordStore } from './record-store.ts';

/** What of the gateway the books of one call rest on. */
export interface CallBooksParts {
  readonly ledger: ChargeLedger;
  readonly late: LateSettlements;
  readonly records: RecordStore;
  readonly prices: PriceHistory;
  readonly forms: ServedForms;
  readonly rounding: RoundingRule;
}

/** The rule with the quantum and the factor of the gateway's own, where that counts in units: no record could hold another. */
function inQuanta(rule: RoundingRule, own: RoundingRule): RoundingRule {
  return own.steps === undefined || rule === own ? rule : { ...own, mode: rule.mode };
}

/** What is done late to the record that stands there then; null: nothing. */
export type LateAct = (record: ChargeRecord) => RecordChange | 'gone' | null;

/** Something that waits: what it makes of the record of the key, where null stands for none. */
interface Awaited {
  /** Moment of the monotonic clock. */
  readonly due: number;
  readonly outcome: (record: ChargeRecord | null) => ChargeRecord | null;
}

/** A call as it was rightly ended, and the books around it, for faults to put wrong. */
export class CallBooks {
  /** The record as it was rightly booked. */
  readonly right: ChargeRecord;
  /** Null for a call that says nothing of its prices. */
  readonly work: ChargedUnits | null;
  /** What the call used; a refunded one has no output. */
  readonly used: TokenUsage;
  readonly prices: PriceHistory;
  readonly forms: ServedForms;
  readonly rounding: RoundingRule;
  readonly #parts: CallBooksParts;
  readonly #charge: OpenCharge;
  readonly #awaited = new Set<Awaited>();
  /** What the further records of the call cost. */
  #beside: PicoUsd = 0n;

  constructor(parts: CallBooksParts, charge: OpenCharge, work: ChargedUnits | null, used: TokenUsage) {
    this.right = charge.record;
    this.work = work;
    this.used = used;
    this.prices = parts.prices;
    this.forms = parts.forms;
    this.rounding = parts.rounding;
    this.#parts = parts;
    this.#charge = charge;
  }

  /** False once a fault has taken the record away: then there is nothing left to put wrong. */
  get hasRecord(): boolean {
    return hasRecord(this.#charge);
  }

  /** As it stands, other faults of the call included; as it was last where `hasRecord` is false. */
  get record(): ChargeRecord {
    return this.#charge.record;
  }

  /**
   * What all records of the call come to in the end, what still waits included: the call is journaled before that
   * happens. Nothing else touches its record, so what comes of it is known.
   */
  get ownCost(): PicoUsd {
    const inOrder = [...this.#awaited].sort((left, right) => left.due - right.due);
    const now = this.hasRecord ? this.record : null;
    const last = inOrder.reduce((record, { outcome }) => outcome(record), now);
    return this.#beside + (last === null ? 0n : costOf(last));
  }

  /** The charge for a usage by the prices and rounding of the call, or for other work; null where it has no price. */
  price(usage: TokenUsage, work = this.work, rule = this.rounding): PicoUsd | null {
    return work === null ? null : workCharge(work, usage, inQuanta(rule, this.rounding));
  }

  /** Puts another state in the place of the record. Gives the change of the bill. */
  amend(change: RecordChange): PicoUsd {
    const before = costOf(this.record);
    this.#parts.ledger.amend(this.#charge, change);
    return costOf(this.record) - before;
  }

  /** Books a further record for the call; `free`: it shows, and no credit is taken. Gives what the bill grows by. */
  add(change: RecordChange = {}, free = false): PicoUsd {
    const record = this.#parts.ledger.book(this.#charge.key, { ...this.record, ...change }, free);
    this.#beside += costOf(record);
    return costOf(record);
  }

  /** Books a record for no call at all. Gives what the bill grows by. */
  addForeign(requestId: string): PicoUsd {
    return costOf(this.#parts.ledger.book(this.#charge.key, { ...this.record, requestId }));
  }

  /** Books the record for another key in the place of the call's own. Gives the change of the call's bill. */
  misfile(fingerprint: string): PicoUsd {
    this.#parts.ledger.misfile(this.#charge, fingerprint);
    return -costOf(this.record);
  }

  /** The record and its charge are gone from the books. Gives the change of the bill. */
  withdraw(): PicoUsd {
    this.#parts.ledger.withdraw(this.#charge);
    return -costOf(this.record);
  }

  /** The record and its charge are gone from the books until `wait_ms` are over, or the gateway stops. */
  withdrawFor(wait_ms: number): void {
    const { record } = this;
    this.#parts.ledger.withdraw(this.#charge);
    this.#await(
      wait_ms,
      () => record,
      () => this.#parts.ledger.restore(this.#charge),
    );
  }

  /** The request id of the key's record before this one; null for the first. */
  requestBefore(): string | null {
    const { createdAt, keyFingerprint } = this.record;
    const selection = { start: 0, end: createdAt + 1, model: null, requestId: null };
    const [earlier] = this.#parts.records.newestFirst(keyFingerprint, selection, this.record);
    return earlier?.requestId ?? null;
  }

  /** Holds credit back for good of which no record tells. */
  leak(amount: PicoUsd): void {
    this.#parts.ledger.leak(this.#charge.key, amount);
  }

  /**
   * Does something to the record as it stands after `wait_ms`, or when the gateway stops before. `done` is told the
   * change of the bill; null: there was no record, or nothing to do to it.
   */
  later(wait_ms: number, act: LateAct, done: (change: PicoUsd | null) => void): void {
    const outcome = (record: ChargeRecord | null): ChargeRecord | null => {
      const change = record === null ? null : act(record);
      return record === null || change === 'gone' ? null : { ...record, ...change };
    };
    this.#await(wait_ms, outcome, () => {
      const change = this.hasRecord ? act(this.record) : null;
      if (change === null) done(null);
      else done(change === 'gone' ? this.withdraw() : this.amend(change));
    });
  }

  #await(wait_ms: number, outcome: Awaited['outcome'], act: () => void): void {
    const due = this.#parts.late.after(wait_ms, () => {
      this.#awaited.delete(awaited);
      act();
    });
    const awaited = { due, outcome };
    this.#awaited.add(awaited);
  }
}
