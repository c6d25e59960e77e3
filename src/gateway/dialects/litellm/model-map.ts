import { createHash } from 'node:crypto';
import type { Model } from '../../models/model.ts';
import { secondCosts, tokenCosts } from './token-costs.ts';

/** The id of the deployment that serves a model. */
export function modelMapId(model: string): string {
  return createHash('sha256').update(`deployment ${model}`).digest('hex');
}

export function providerOf(model: Model | null): string {
  return model?.kind === 'text' && model.cache_write !== null ? 'anthropic' : 'openai';
}

const MODES = { text: 'chat', image: 'image_generation', video: 'video_generation' } as const;

/** One entry of `GET /model/info`. */
export function mappedModel(model: Model): object {
  const provider = providerOf(model);
  return {
    model_name: model.id,
    litellm_params: {
      model: `${provider}/${model.id}`,
      api_base: 'https://provider.invalid/v1',
      use_in_pass_through: false,
    },
    model_info: {
      id: modelMapId(model.id),
      db_model: false,
      key: model.id,
      litellm_provider: provider,
      mode: MODES[model.kind],
      ...pricesOf(model),
    },
  };
}

function pricesOf(model: Model): object {
  switch (model.kind) {
    case 'text':
      return {
        max_tokens: model.max_output_tokens,
        max_input_tokens: model.context_window,
        max_output_tokens: model.max_output_tokens,
        ...tokenCosts(model),
      };
    case 'image':
      return { ...NO_TOKEN_COSTS, output_cost_per_image: Number(model.tiers[0]?.price ?? 0) };
    case 'video':
      return { ...NO_TOKEN_COSTS, ...secondCosts(model) };
  }
}

const NO_TOKEN_COSTS = { input_cost_per_token: 0, output_cost_per_token: 0 };
