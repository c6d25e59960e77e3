import { createHash, randomUUID } from 'node:crypto';
import type { TextFormat } from '../../formats/text-format.ts';
import type { AskedVideo, ToldCall, WornDialect } from '../../hooks/dialect.ts';
import type { Worn } from '../../hooks/worn.ts';
import { modelById } from '../../models/catalogue.ts';
import type { Model } from '../../models/model.ts';
import type { Readings } from '../../readings/readings.ts';
import { asksForAnHour } from '../hour-cache.ts';
import { modelMapId } from './model-map.ts';
import { liteLlmRefusal } from './refusals.ts';
import { recordSpend } from './spend-rows.ts';
import { floatText, mappedCatalogue } from './token-costs.ts';

/** The release whose schemas and headers it follows. */
const VERSION = '1.110.2';

/** LiteLLM's proxy, by its published schemas. */
export class LiteLlm implements WornDialect {
  readonly name;
  readonly switches;
  readonly taskPrefix = 'video_';
  readonly keepsRetryAfter = true;
  readonly videoPaths = ['/v1/videos'];
  readonly standsFor = {
    '/model/info': '/pricing.usd.json',
    '/spend/logs': '/v1/usage/requests',
    '/spend/logs/v2': '/v1/usage/requests',
  } as const;
  readonly refusal = liteLlmRefusal;
  #priced: ReadonlyMap<string, Model> = new Map();

  constructor({ name, switches }: Worn) {
    this.name = name;
    this.switches = switches;
  }

  readings(given: Readings): Readings {
    return {
      ...given,
      rounding: 'half_up_12',
      least_charge: false,
      price_factor: '1',
      request_id: 'headers',
      task_request_id: 'task',
      refused_call: 'free_record',
      account_unit: 'cents',
    };
  }

  catalogue(models: readonly Model[]): readonly Model[] {
    const mapped = mappedCatalogue(models);
    this.#priced = new Map(mapped.map((model) => [model.id, model]));
    return mapped;
  }

  requestIds(): () => string {
    return randomUUID;
  }

  headers(requestId: string): Record<string, string> {
    return { 'x-litellm-call-id': requestId, 'x-litellm-version': VERSION };
  }

  /** The cost is known when a call has ended: the headers of a stream are sent before. */
  callHeaders({ requestId, model, record }: ToldCall): Record<string, string> {
    const provider = createHash('sha256').update(`provider ${requestId}`).digest('hex').slice(0, 32);
    const shared = {
      'x-litellm-model-id': modelMapId(model),
      'x-litellm-model-group': model,
      'llm_provider-x-request-id': `req_${provider}`,
    };
    if (record === null) return shared;
    const spend = recordSpend(record, this.#priced.get(model) ?? modelById(model), null);
    return { ...shared, 'x-litellm-response-cost': floatText(spend) };
  }

  videoHeaders({ requestId, model }: AskedVideo): Record<string, string> {
    return this.callHeaders({ requestId, model: model.id, record: null });
  }

  answerId(requestId: string): string {
    return requestId;
  }

  format(format: TextFormat): TextFormat {
    if (format.kind !== 'messages') return format;
    return {
      ...format,
      read: (body) =>
        asksForAnHour(body) ? { ...format.read(body), longCacheLife: true } : format.read(body),
    };
  }
}
