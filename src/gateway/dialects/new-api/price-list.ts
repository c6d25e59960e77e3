import type { ImageModel, Model, TextModel, VideoModel } from '../../models/model.ts';
import { basePrice, GROUP_RATIOS, isClaude, isGrid, modelRatio, toldRatio } from './ratios.ts';

/** A constant in the source of such gateways: it does not change with the prices. */
const PRICING_VERSION = '5a90f2b86c08bd983a9a2e6d66c255f4eaef9c4bc934386d2b6ae84ef0ff1f1f';

/** `GET /api/pricing`; `turn`: how far the order of its models is turned, which no read keeps. */
export function priceList(models: readonly Model[], turn: number): object {
  const by = turn % models.length;
  const turned = [...models.slice(by), ...models.slice(0, by)];
  const [first, ...rest] = turned.map(pricedModel);
  return {
    success: true,
    data: first === undefined ? [] : [{ ...first, pricing_version: PRICING_VERSION }, ...rest],
    vendors: [],
    group_ratio: Object.fromEntries(
      Object.entries(GROUP_RATIOS).map(([name, ratio]) => [name, Number(ratio)]),
    ),
    usable_group: Object.fromEntries(Object.keys(GROUP_RATIOS).map((name) => [name, `Group ${name}`])),
    supported_endpoint: ENDPOINTS,
    auto_groups: [],
    show_original_price: false,
  };
}

const ENDPOINTS = {
  openai: { path: '/v1/chat/completions', method: 'POST' },
  'openai-response': { path: '/v1/responses', method: 'POST' },
  anthropic: { path: '/v1/messages', method: 'POST' },
  'image-generation': { path: '/v1/images/generations', method: 'POST' },
  'openai-video': { path: '/v1/videos', method: 'POST' },
};

function pricedModel(model: Model): object {
  const shared = {
    model_name: model.id,
    owner_by: '',
    enable_groups: Object.keys(GROUP_RATIOS),
    supported_endpoint_types: endpointTypes(model),
    metadata: {},
  };
  switch (model.kind) {
    case 'text':
      return { ...shared, quota_type: 0, model_price: 0, ...ratiosOf(model) };
    case 'image':
      return { ...shared, ...perCall(model), ...(isGrid(model) ? { grid_pricing: imageGrid(model) } : {}) };
    case 'video':
      return { ...shared, ...perCall(model), ...(hasSizes(model) ? { grid_pricing: videoGrid(model) } : {}) };
  }
}

export function endpointTypes(model: Model): readonly string[] {
  if (model.kind === 'image') return ['image-generation'];
  if (model.kind === 'video') return ['openai-video'];
  return isClaude(model) ? ['anthropic', 'openai'] : ['openai', 'openai-response'];
}

function ratiosOf(model: TextModel): object {
  const { input, output, cache_read, cache_write } = model;
  return {
    model_ratio: modelRatio(model),
    completion_ratio: toldRatio(output, input),
    ...(cache_read === null ? {} : { cache_ratio: toldRatio(cache_read, input) }),
    ...(cache_write === null ? {} : { create_cache_ratio: toldRatio(cache_write, input) }),
  };
}

function perCall(model: ImageModel | VideoModel): object {
  return { quota_type: 1, model_ratio: 0, completion_ratio: 0, model_price: Number(basePrice(model)) };
}

function imageGrid({ tiers }: ImageModel): readonly object[] {
  return tiers.map(({ size, quality, price }) => ({
    Size: size,
    Quality: quality,
    Pricing: Number(price),
    PricingSuffix: '/image',
  }));
}

function hasSizes({ tiers }: VideoModel): boolean {
  return new Set(tiers.map(({ price }) => price)).size > 1;
}

function videoGrid({ tiers }: VideoModel): readonly object[] {
  return tiers.map(({ resolution, price }) => ({
    Resolution: resolution,
    Pricing: Number(price),
    PricingSuffix: '/second',
  }));
}
