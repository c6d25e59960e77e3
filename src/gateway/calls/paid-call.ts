import { JOURNAL_SCHEMA } from '../../contracts/journal.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { markerIn } from '../../core/marker.ts';
import type { ApiKey } from '../account/account.ts';
import { CallBooks } from '../charging/call-books.ts';
import type { OpenCharge, Settlement } from '../charging/charge-ledger.ts';
import { atCurrentPrices, type ChargedUnits, workCharge } from '../charging/priced-work.ts';
import { type CallResult, type ChargeRecord, NO_TOKENS, type TokenUsage } from '../events/charge-record.ts';
import type { CutManner } from '../formats/stream-sink.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import { ApiError } from '../http/api-error.ts';
import type { ChargedEndpoint, ChargedKind } from '../http/endpoints.ts';
import { instantText } from '../journal/instant-text.ts';
import type { RoundingRule } from '../prices/rounding-rule.ts';
import type { Readings } from '../readings/readings.ts';
import { unixSeconds } from '../time/clock.ts';
import type { CallNote } from './call-details.ts';
import type { CallParts } from './call-parts.ts';

const TASK_KINDS: readonly ChargedKind[] = ['image_job', 'image_edit_job', 'video'];

export interface ServedRequest {
  readonly requestId: string;
  /** The id that its record has instead. */
  readonly recordedId?: string;
  readonly key: ApiKey;
  readonly endpoint: ChargedEndpoint;
  readonly kind: ChargedKind;
  readonly model: string;
  readonly prompt: string;
  readonly reserve: PicoUsd;
  readonly faults: RequestFaults;
  readonly rule: RoundingRule;
  /** What it is charged by; without it, a fault that prices the call anew finds nothing to do. */
  readonly work?: ChargedUnits;
  /** What a dialect tells of it beside. */
  readonly note?: CallNote;
}

/** A call that an earlier process accepted. */
export interface ResumedCall {
  readonly charge: OpenCharge;
  /** Milliseconds since the epoch. */
  readonly receivedWall: number;
}

/** One accepted call from reserve to its journal line. */
export class ServedCall {
  readonly requestId: string;
  readonly receivedMono: number;
  readonly #parts: CallParts;
  readonly #request: ServedRequest;
  readonly #receivedWall: number;
  readonly #charge: OpenCharge;
  #work: ChargedUnits | null;
  #charged: PicoUsd = 0n;
  #delivered: { readonly result: CallResult; readonly usage: TokenUsage } | null = null;
  /** When it ended, ms after it was received; null: it has not. */
  #endedAt: number | null = null;
  #settlesLater = false;
  #events = 0;
  #firstToken: number | null = null;
  #lateness = 0;

  /** Reserves, unless it goes on with a charge; throws InsufficientCredit, or ApiError 429 above the key's limits. */
  constructor(parts: CallParts, request: ServedRequest, resumed: ResumedCall | null = null) {
    this.#parts = parts;
    this.#request = request;
    this.#work = request.work ?? null;
    this.requestId = request.requestId;
    this.receivedMono = parts.clock.monoMs();
    this.#receivedWall = parts.clock.wallMs();
    if (resumed === null) this.#charge = this.#admit();
    else {
      this.receivedMono -= this.#receivedWall - resumed.receivedWall;
      this.#receivedWall = resumed.receivedWall;
      this.#charge = resumed.charge;
      if (resumed.charge.record.status !== 'pending') {
        this.#endedAt = 0;
        return;
      }
      request.key.limiter?.takeSlot();
    }
    parts.openCalls.add(this);
    const { requestId, endpoint, kind, prompt, work = null, note = null } = request;
    const receivedWall = this.#receivedWall;
    parts.details?.accepted(this.recordedId, { requestId, endpoint, kind, prompt, work, note, receivedWall });
  }

  /** What a later process needs to go on with it. */
  get saved(): {
    readonly recordId: string;
    readonly endpoint: ChargedEndpoint;
    readonly receivedWall: number;
  } {
    return {
      recordId: this.#charge.record.id,
      endpoint: this.#request.endpoint,
      receivedWall: this.#receivedWall,
    };
  }

  /** Unix seconds of acceptance. */
  get createdAt(): number {
    return this.#charge.record.createdAt;
  }

  /** The id by which its record names it. */
  get recordedId(): string {
    return this.#charge.record.requestId;
  }

  get model(): string {
    return this.#request.model;
  }

  /** Its record as it stands. */
  get record(): ChargeRecord {
    return this.#charge.record;
  }

  /** A stream event was written; `hasText`: it carried generated text. */
  wrote(hasText: boolean, lateness_ms: number): void {
    this.#events += 1;
    this.late(lateness_ms);
    if (hasText) this.#firstToken ??= this.#elapsed();
  }

  late(lateness_ms: number): void {
    this.#lateness = Math.max(this.#lateness, lateness_ms);
  }

  /** The faults of the request that made this call. */
  get faults(): RequestFaults {
    return this.#request.faults;
  }

  /** Whether a fault cuts the stream before its next event. */
  cutNow(): CutManner | null {
    return this.faults.first((hooks) => hooks.cutBefore?.(this.#events));
  }

  settle(settlement: Settlement): void {
    this.#delivered = settlement;
    const wait_ms = this.faults.first((hooks) => hooks.settleAfter?.());
    if (wait_ms === null) {
      this.#settleNow(settlement);
      return;
    }
    this.#settlesLater = true;
    this.#parts.lateSettlements.after(wait_ms, () => {
      this.#settlesLater = false;
      this.#settleNow(settlement);
      if (this.#endedAt !== null) this.#close(this.#endedAt);
    });
  }

  #settleNow(settlement: Settlement): void {
    const usage = this.#told(settlement.usage);
    const priced = { ...settlement, ...this.#pricedAnew(settlement.usage) };
    this.#parts.ledger.settle(this.#charge, {
      ...priced,
      usage,
      createdAt: this.#bookedAt(),
      requests: this.#countedAt('settled'),
    });
    this.#charged = priced.amount;
    this.faults.each((hooks) => hooks.settled?.({ amount: priced.amount }));
    this.#booked(settlement.usage);
  }

  /** The charge by the version that is current when it settles, where the readings say so. */
  #pricedAnew(usage: TokenUsage): Pick<Settlement, 'book'> | Pick<Settlement, 'book' | 'amount'> {
    const { readings, prices } = this.#parts;
    if (readings.price_edition === 'acceptance' || this.#work === null) return {};
    this.#work = atCurrentPrices(this.#work, prices);
    const amount = workCharge(this.#work, usage, this.#request.rule);
    return amount === null ? {} : { amount, book: prices.current.book };
  }

  /** `used`: what the call had used up when it failed. */
  refund(result: CallResult, used: TokenUsage = NO_TOKENS): void {
    this.#delivered = { result, usage: used };
    this.#parts.ledger.refund(this.#charge, result, this.#bookedAt());
    this.#booked(used);
  }

  /** Lets faults put the books wrong, and takes what the call comes to by that. */
  #booked(used: TokenUsage): void {
    if (this.faults === RequestFaults.NONE) return;
    const { ledger, lateSettlements: late, records, prices, forms } = this.#parts;
    const parts = { ledger, late, records, prices, forms, rounding: this.#request.rule };
    const books = new CallBooks(parts, this.#charge, this.#work, used);
    this.faults.each((hooks) => {
      if (books.hasRecord) hooks.booked?.(books);
    });
    this.#charged = books.ownCost;
  }

  /** What the account counts of this call at a moment. */
  #countedAt(moment: Readings['account_requests']): number {
    return this.#parts.readings.account_requests === moment ? 1 : 0;
  }

  /** The usage as its record tells it. */
  #told(usage: TokenUsage): TokenUsage {
    const work = this.#work;
    if (this.#parts.readings.output_tokens === 'with_reasoning' || work?.kind !== 'text') return usage;
    return { ...usage, output: Math.max(0, usage.output - (work.extras?.reasoning ?? 0)) };
  }

  /** The date of a record that has ended. */
  #bookedAt(): number {
    const { clock, readings, endings } = this.#parts;
    const { createdAt, id } = this.#charge.record;
    if (readings.totals_day === 'settled') endings.set(id, unixSeconds(clock.wallMs()));
    if (readings.created_at === 'acceptance') return createdAt;
    if (readings.created_at === 'answered' && TASK_KINDS.includes(this.#request.kind)) return createdAt;
    return unixSeconds(clock.wallMs());
  }

  /** Writes the journal line, once it is settled; a second call does nothing. */
  end(): void {
    if (this.#endedAt !== null) return;
    this.#endedAt = this.#elapsed();
    this.#request.key.limiter?.release();
    if (!this.#settlesLater) this.#close(this.#endedAt);
  }

  /** The gateway stops before the call has ended: its books are kept and it goes on later, or it ends here. */
  abandon(): void {
    if (this.#parts.data === null) this.end();
    else this.#parts.openCalls.delete(this);
  }

  #close(end_ms: number): void {
    this.#parts.openCalls.delete(this);
    this.faults.each((hooks) => hooks.ended?.());
    this.#parts.details?.ended(this.recordedId, { firstToken_ms: this.#firstToken, end_ms });
    this.#parts.journal.append({
      schema: JOURNAL_SCHEMA,
      type: 'call',
      request_id: this.requestId,
      marker: markerIn(this.#request.prompt),
      key_fp: this.#request.key.fingerprint,
      endpoint: this.#request.endpoint,
      received_at: instantText(this.#receivedWall),
      first_token_ms: this.#firstToken,
      end_ms,
      events: this.#events,
      amount: formatAmount(this.#charged),
      lateness_ms: milliseconds(this.#lateness),
      model: this.#request.model,
      result: this.#delivered?.result ?? null,
      input_tokens: this.#delivered?.usage.input ?? 0,
      output_tokens: this.#delivered?.usage.output ?? 0,
    });
  }

  /** Takes a slot of the key's limits and reserves. */
  #admit(): OpenCharge {
    const { requestId, recordedId = requestId, key, model, reserve } = this.#request;
    const wait_s = key.limiter?.admit(this.receivedMono) ?? null;
    if (wait_s !== null) throw limitExceeded(wait_s);
    try {
      const createdAt = unixSeconds(this.#receivedWall);
      const named = { requestId: recordedId, createdAt, requests: this.#countedAt('accepted') };
      const { ledger, prices } = this.#parts;
      const charge = ledger.reserve({ ...named, key, model, reserve, book: prices.current.book });
      prices.accepted(createdAt);
      return charge;
    } catch (error) {
      key.limiter?.release();
      throw error;
    }
  }

  #elapsed(): number {
    return milliseconds(this.#parts.clock.monoMs() - this.receivedMono);
  }
}

/** interface §7, row 429: no credit error, and no code either, which names a busy channel only. */
function limitExceeded(wait_s: number): ApiError {
  const message = 'The request limit of this key is exceeded; wait and try again';
  return new ApiError({ status: 429, message, headers: { 'retry-after': String(wait_s) } });
}

/** Milliseconds to the microsecond. */
function milliseconds(value: number): number {
  return Math.round(value * 1000) / 1000;
}
