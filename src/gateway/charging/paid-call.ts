import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { JOURNAL_SCHEMA } from '../../core/journal.ts';
import { MARKER_PATTERN } from '../../core/marker.ts';
import { formatInstant } from '../../core/time.ts';
import type { ApiKey } from '../account/account.ts';
import { unixSeconds } from '../clock.ts';
import type { CutManner } from '../faults/fault-definition.ts';
import type { ArmedFault } from '../faults/fault-engine.ts';
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
  readonly stream: boolean;
  readonly reserve: PicoUsd;
}

type Parts = Pick<Gateway, 'clock' | 'ledger' | 'faults' | 'journal' | 'openCalls'>;

/** One accepted call from reserve to its journal line. */
export class PaidCall {
  readonly requestId: string;
  readonly receivedMono: number;
  readonly #parts: Parts;
  readonly #request: PaidRequest;
  readonly #receivedWall: number;
  readonly #charge: OpenCharge;
  readonly #faults: readonly ArmedFault[];
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
    const { key, model, endpoint, kind, stream } = request;
    this.#charge = this.#admit();
    parts.openCalls.add(this);
    const { fingerprint: keyFingerprint, ordinal: keyOrdinal } = key;
    this.#faults = parts.faults.faultsFor({ endpoint, kind, model, keyFingerprint, keyOrdinal, stream });
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

  /** Whether a fault cuts the stream before its next event. */
  cutNow(): CutManner | null {
    for (const armed of this.#faults) {
      const manner = armed.hooks.cutBefore?.(this.#events) ?? null;
      if (manner === null) continue;
      this.#fired(armed, 0n);
      return manner;
    }
    return null;
  }

  settle(settlement: Settlement): void {
    const { ledger } = this.#parts;
    ledger.settle(this.#charge, settlement);
    this.#charged = settlement.amount;
    for (const armed of this.#faults) {
      const delta = armed.hooks.settled?.({
        amount: settlement.amount,
        chargeAgain: () => ledger.chargeAgain(this.#charge),
      });
      if (delta === undefined || delta === null) continue;
      this.#charged += delta;
      this.#fired(armed, delta);
    }
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

  #fired({ fault, ordinal, parameters }: ArmedFault, delta: PicoUsd): void {
    this.#parts.journal.append({
      schema: JOURNAL_SCHEMA,
      type: 'fault',
      fault,
      request_id: this.requestId,
      ordinal,
      parameters,
      delta: formatAmount(delta),
    });
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
