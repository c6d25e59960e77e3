import { createHash } from 'node:crypto';
import type { Model } from '../models/model.ts';
import { canonicalJson } from './canonical-json.ts';

/** `GET /pricing.usd.json` as served. */
export interface ServedPriceBook {
  readonly object: 'pricebook';
  readonly pricebook_id: string;
  /** SHA-256 of the canonical models array. */
  readonly pricing_version: string;
  readonly currency: 'USD';
  /** Unix seconds. */
  readonly effective_at: number;
  readonly updated_at: number;
  readonly rounding: { readonly scope: 'record'; readonly quantum: string; readonly mode: 'half_up' };
  readonly usage_semantics: { readonly input_includes_cache: boolean };
  readonly models: readonly object[];
  readonly adjustments: readonly object[];
}

/** 2026-11-20T00:00:00Z, the day of this book. */
const EFFECTIVE_AT = 1_795_132_800;

export function priceBookOf(models: readonly Model[]): ServedPriceBook {
  const served = models.map(servedModel);
  return {
    object: 'pricebook',
    pricebook_id: 'pb_20261120_1',
    pricing_version: createHash('sha256').update(canonicalJson(served)).digest('hex'),
    currency: 'USD',
    effective_at: EFFECTIVE_AT,
    updated_at: EFFECTIVE_AT,
    rounding: { scope: 'record', quantum: '0.00000001', mode: 'half_up' },
    usage_semantics: { input_includes_cache: true },
    models: served,
    adjustments: [],
  };
}

function servedModel(model: Model): object {
  switch (model.kind) {
    case 'text':
      return {
        id: model.id,
        kind: 'text',
        unit: 'per_1m_tokens',
        input: model.input,
        output: model.output,
        ...(model.cache_read === null ? {} : { cache_read: model.cache_read }),
        ...(model.cache_write === null ? {} : { cache_write: model.cache_write }),
        context_window: model.context_window,
        max_output_tokens: model.max_output_tokens,
      };
    case 'image':
      return { id: model.id, kind: 'image', unit: 'per_image', tiers: model.tiers };
    case 'video':
      return {
        id: model.id,
        kind: 'video',
        unit: 'per_second',
        tiers: model.tiers,
        max_seconds: model.max_seconds,
      };
  }
}
