import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { JOURNAL_SCHEMA } from '../../core/journal.ts';
import { MARKER_PATTERN } from '../../core/marker.ts';
import { formatInstant } from '../../core/time.ts';
import type { ApiKey } from '../account/account.ts';
import { unixSeconds } from '../clock.ts';
import type { CutManner } from '../faults/hooks/stream-hooks.ts';
import type { RequestFaults } from '../faults/request-faults.ts';
import type { Gateway } from '../gateway.ts';
import { ApiError } from '../server/api-error.ts';
import type { PaidEndpoint } from '../server/endpoints.ts';
import type { OpenCharge, Settlement } from './charge-ledger.ts';
import type { CallResult } from './charge-record.ts';

export interface PaidRequest {
  readonly requestId: string;
  readonly key: ApiKey;
  readonly endpoint: PaidEndpoint;
  readonly kind: PaidKind;
  readonly model: string;
  readonly prompt: string;
  readonly reserve: PicoUsd;
  readonly faults: RequestFaults;
}

type Parts = Pick<Gateway, 'clock' | 'ledger' | 'journal' | 'openCalls'>;

/** One accepted call from reserve to its journal line. */
export class PaidCall {
  readonly requestId: string;
  readonly receivedMono: number;
  readonly #parts: Parts;
  readonly #request: PaidRequest;
  readonly #receivedWall: number;
  readonly #charge: OpenCharge;
  #charged: PicoUsd = 0n;
  #ended = false;
  #events = 0;
  #firstToken: number | null = null;
  #lateness = 0;

  /** Reserves; throws InsufficientCredit, or ApiError 429 above the key's limits. */
  constructor(parts: Parts, request: PaidRequest) {
    this.#parts = parts;
    this.#request = request;
    this.requestId = request.requestId;
    this.receivedMono = parts.clock.monoMs();
    this.#receivedWall = parts.clock.wallMs();
    this.#charge = this.#admit();
    parts.openCalls.add(this);
  }

  /** Unix seconds of acceptance. */
  get createdAt(): number {
    return this.#charge.record.createdAt;
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
    const { ledger } = this.#parts;
    const { amount } = settlement;
    ledger.settle(this.#charge, settlement);
    this.#charged = amount;
    const chargeAgain = (): void => {
      ledger.chargeAgain(this.#charge);
      this.#charged += amount;
    };
    this.faults.each((hooks) => hooks.settled?.({ amount, chargeAgain }));
  }

  refund(result: CallResult): void {
    this.#parts.ledger.refund(this.#charge, result);
  }

  /** Writes the journal line; a second call does nothing. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#parts.openCalls.delete(this);
    this.#request.key.limiter?.release();
    this.#parts.journal.append({
      schema: JOURNAL_SCHEMA,
      type: 'call',
      request_id: this.requestId,
      marker: MARKER_PATTERN.exec(this.#request.prompt)?.[0] ?? null,
      key_fp: this.#request.key.fingerprint,
      endpoint: this.#request.endpoint,
      received_at: formatInstant(this.#receivedWall),
      first_token_ms: this.#firstToken,
      end_ms: this.#elapsed(),
      events: this.#events,
      amount: formatAmount(this.#charged),
      lateness_ms: milliseconds(this.#lateness),
    });
  }

  /** Takes a slot of the key's limits and reserves. */
  #admit(): OpenCharge {
    const { requestId, key, model, reserve } = this.#request;
    const wait_s = key.limiter?.admit(this.receivedMono) ?? null;
    if (wait_s !== null) throw limitExceeded(wait_s);
    try {
      const createdAt = unixSeconds(this.#receivedWall);
      return this.#parts.ledger.reserve({ requestId, createdAt, key, model, reserve });
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
