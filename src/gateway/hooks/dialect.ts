import type { PicoUsd } from '../../core/amount.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { ApiKey } from '../account/account.ts';
import type { ChargeRecord, TokenUsage } from '../events/charge-record.ts';
import type { TextFormat, TextReply } from '../formats/text-format.ts';
import type { ApiError } from '../http/api-error.ts';
import type { ChargedKind, Endpoint } from '../http/endpoints.ts';
import type { Model, TextModel, VideoModel } from '../models/model.ts';
import type { Readings } from '../readings/readings.ts';
import type { Clock } from '../time/clock.ts';
import type { Worn } from './worn.ts';

/** A request that is refused, as far as its refusal depends on it. */
export interface RefusedRequest {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  /** Whether it brought a key or a token. */
  readonly hasCredential: boolean;
  /** Whether the client asks for English. */
  readonly english: boolean;
  /** Whether its provider refused it, and not the gateway. */
  readonly fromProvider: boolean;
}

export interface ToldRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  /** Empty: no body. */
  readonly body: object | string;
}

/** A stream that did not reach its end. */
export interface CutText {
  readonly kind: ChargedKind;
  readonly model: TextModel;
  readonly prompt: string;
  /** Of the whole call. */
  readonly usage: TokenUsage;
  /** What was written of it. */
  readonly text: string;
}

/** A call as its headers tell it; without a record, it has not ended. */
export interface ToldCall {
  readonly requestId: string;
  readonly model: string;
  readonly record: ChargeRecord | null;
}

/** A text call before it is served. */
export interface AskedText {
  readonly key: ApiKey;
  readonly model: TextModel;
  readonly input: number;
  readonly most: number;
}

export interface AskedVideo {
  readonly key: ApiKey;
  readonly model: VideoModel;
  readonly size: string;
  readonly seconds: number;
  readonly requestId: string;
}

/** How another program than the interface tells and charges what this gateway serves. What it leaves out stays as it is. */
export interface WornDialect extends Worn {
  readonly taskPrefix: string;
  /** Whether the `Retry-After` of a provider reaches the client. */
  readonly keepsRetryAfter: boolean;
  /** By path: the read or the call of the interface whose faults it has. */
  readonly standsFor: Readonly<Record<string, Endpoint>>;
  /** Paths on which a video is created. */
  readonly videoPaths: readonly string[];
  readings(given: Readings): Readings;
  /** The models at the prices that its price list can tell. */
  catalogue(models: readonly Model[]): readonly Model[];
  requestIds(clock: Clock, salt: bigint): () => string;
  /** Headers of every answer. */
  headers(requestId: string): Record<string, string>;
  /** Further headers of the answer to a paid call. */
  callHeaders(call: ToldCall): Record<string, string>;
  /** What ids in an answer are made of. */
  answerId(requestId: string): string;
  refusal(request: RefusedRequest, error: ApiError, cause: unknown): ToldRefusal;
  format(format: TextFormat): TextFormat;
  /** What a charge of the key is multiplied by; null: nothing. */
  factorOf?(key: Pick<ApiKey, 'group'>): Decimal | null;
  /** What is held before a text call. */
  textReserve?(asked: AskedText): PicoUsd;
  videoCharge?(asked: AskedVideo): PicoUsd | null;
  /** The body of a video request as the interface has it; throws ApiError. */
  videoBody?(body: unknown): unknown;
  /** Headers of the answer that creates a video. */
  videoHeaders?(asked: AskedVideo): Record<string, string>;
  /** A video task as it is told. */
  video?(told: Readonly<Record<string, unknown>>): object;
  /** What a stream that was cut is charged by. */
  cutUsage?(cut: CutText): TokenUsage;
  /** The events that it writes where its provider ended a stream too early. */
  cutEnding?(format: TextFormat, soFar: TextReply): readonly string[];
}
