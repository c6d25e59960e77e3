import { createHash } from 'node:crypto';
import type { PicoUsd } from '../../../core/amount.ts';
import type { Decimal } from '../../../core/decimal.ts';
import type { ApiKey } from '../../account/account.ts';
import { textCharge } from '../../charging/charge-amount.ts';
import type { TextFormat, TextReply } from '../../formats/text-format.ts';
import type { AskedText, AskedVideo, WornDialect } from '../../hooks/dialect.ts';
import type { Worn } from '../../hooks/worn.ts';
import { ApiError } from '../../http/api-error.ts';
import { modelById } from '../../models/catalogue.ts';
import { ROUNDING_RULES } from '../../prices/rounding-rule.ts';
import type { Readings } from '../../readings/readings.ts';
import { cutEnding, cutUsage } from './cut-streams.ts';
import { spokenFormat } from './formats.ts';
import { decimal, GROUP_RATIOS, isClaude, ratioCatalogue } from './ratios.ts';
import { newApiRefusal } from './refusals.ts';
import { newApiRequestIds } from './request-ids.ts';
import { videoAmount, videoFactors } from './video-units.ts';

const LEAST_INPUT = 500;
/** Credit above which nothing is held: 10 USD. */
const TRUSTED: PicoUsd = 10n * 10n ** 12n;
const ANSWER_ID_CHARACTERS = 28;

/** A gateway of the new-api family as one was measured. */
export class NewApi implements WornDialect {
  readonly name;
  readonly switches;
  readonly taskPrefix = 'task_';
  readonly keepsRetryAfter = false;
  readonly videoPaths = ['/v1/videos', '/v1/video/generations'];
  readonly standsFor = {
    '/api/pricing': '/pricing.usd.json',
    '/api/log/self': '/v1/usage/requests',
    '/api/log/token': '/v1/usage/requests',
    '/v1/video/generations': '/v1/videos',
  } as const;
  readonly catalogue = ratioCatalogue;
  readonly requestIds = newApiRequestIds;
  readonly refusal = newApiRefusal;
  readonly format = spokenFormat;
  readonly cutUsage = cutUsage;
  readonly videoCharge = videoAmount;

  constructor({ name, switches }: Worn) {
    this.name = name;
    this.switches = switches;
  }

  readings(given: Readings): Readings {
    return {
      ...given,
      rounding: 'half_up_500000th',
      least_charge: true,
      created_at: 'answered',
      totals_day: 'settled',
      cancelled_call: 'charged',
      account_unit: '500000th',
      // Kept whether or not rows of type 5 show them.
      refused_call: 'free_record',
      request_id: 'headers',
      price_factor: '1',
    };
  }

  headers(requestId: string): Record<string, string> {
    return { 'x-oneapi-request-id': requestId, 'x-new-api-version': 'v0.0.0' };
  }

  callHeaders(): Record<string, string> {
    return {};
  }

  /** Its provider made the id: nothing in an answer names the request. */
  answerId(requestId: string): string {
    return createHash('sha256').update(requestId).digest('hex').slice(0, ANSWER_ID_CHARACTERS);
  }

  factorOf({ group = 'default' }: Pick<ApiKey, 'group'>): Decimal | null {
    const ratio = GROUP_RATIOS[group];
    return ratio === undefined || ratio === '1' ? null : decimal(ratio);
  }

  /** Counts output at the price of input, so that a call may come to more than was held for it. */
  textReserve({ key, model, input, most }: AskedText): PicoUsd {
    const { account, limit } = key;
    const balance = account.balance - account.reserved;
    const left = limit === null ? balance : limit - key.spent - key.reserved;
    if (balance > TRUSTED && left > TRUSTED) return 0n;
    const tokens = Math.max(input, LEAST_INPUT) + most;
    const factor = this.factorOf(key);
    const rule = factor === null ? UNITS : { ...UNITS, factor };
    return textCharge(model, { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 }, rule);
  }

  cutEnding(format: TextFormat, soFar: TextReply): readonly string[] {
    const model = modelById(soFar.model);
    return cutEnding(format, soFar, model !== null && isClaude(model));
  }

  videoBody(body: unknown): unknown {
    if (typeof body !== 'object' || body === null || !('seconds' in body)) return body;
    if (typeof body.seconds === 'number')
      throw new ApiError({ status: 400, code: 'invalid_json', message: 'seconds must be a string' });
    return body.seconds === '0' ? { ...body, seconds: undefined } : body;
  }

  videoHeaders(asked: AskedVideo): Record<string, string> {
    return { 'x-new-api-other-ratios': JSON.stringify(videoFactors(asked)) };
  }

  video(told: Readonly<Record<string, unknown>>): object {
    const { id, ...rest } = told;
    return { id, task_id: id, ...rest };
  }
}

const UNITS = ROUNDING_RULES.half_up_500000th;
