import { createHash } from 'node:crypto';
import type { RoundingMode } from '../../core/rounding.ts';
import { canonicalJson } from '../../text/canonical-json.ts';
import type { ImageModel, Model, ModelTextPrices } from '../models/model.ts';
import { furtherLines } from './further-lines.ts';

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
  readonly rounding: { readonly scope: 'record'; readonly quantum: string; readonly mode: RoundingMode };
  readonly usage_semantics: {
    readonly input_includes_cache: boolean;
    readonly output_includes_reasoning: boolean;
  };
  readonly models: readonly object[];
  readonly adjustments: readonly object[];
}

/** Which book it is: the n-th of a gateway, made on a day (YYYYMMDD), in force from `effectiveAt` (Unix seconds). */
export interface BookEdition {
  readonly day: string;
  readonly sequence: number;
  readonly effectiveAt: number;
}

export const FIRST_EDITION: BookEdition = { day: '20261120', sequence: 1, effectiveAt: 1_795_132_800 };

const LINES = { tiers: 'tiers', services: 'service_tiers', tools: 'tools' };

export function priceBookOf(
  models: readonly Model[],
  { day, sequence, effectiveAt }: BookEdition = FIRST_EDITION,
): ServedPriceBook {
  const served = models.map(servedModel);
  return {
    object: 'pricebook',
    pricebook_id: `pb_${day}_${sequence}`,
    pricing_version: createHash('sha256').update(canonicalJson(served)).digest('hex'),
    currency: 'USD',
    effective_at: effectiveAt,
    updated_at: effectiveAt,
    rounding: { scope: 'record', quantum: '0.00000001', mode: 'half_up' },
    usage_semantics: { input_includes_cache: true, output_includes_reasoning: true },
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
        ...servedPrices(model),
        ...furtherLines(model, LINES, servedPrices),
        context_window: model.context_window,
        max_output_tokens: model.max_output_tokens,
      };
    case 'image':
      return { id: model.id, kind: 'image', unit: 'per_image', tiers: model.tiers, ...editFee(model) };
    case 'video':
      return {
        id: model.id,
        kind: 'video',
        unit: model.per_video === true ? 'per_video' : 'per_second',
        tiers: model.tiers,
        max_seconds: model.max_seconds,
      };
  }
}

/** The fee of an edit, where the model has one. */
export function editFee({ edit_fee }: ImageModel): object {
  return edit_fee === undefined ? {} : { edit_fee };
}

function servedPrices({ input, output, cache_read, cache_write, reasoning }: ModelTextPrices): object {
  return {
    input,
    output,
    ...(cache_read === null ? {} : { cache_read }),
    ...(cache_write === null ? {} : { cache_write }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
