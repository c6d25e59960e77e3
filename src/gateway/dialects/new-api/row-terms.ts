import type { ApiKey } from '../../account/account.ts';
import type { ImageModel, TextModel } from '../../models/model.ts';
import { basePrice, GROUP_RATIOS, isClaude, isGrid, modelRatio, toldRatio } from './ratios.ts';
import type { RowSource } from './row-source.ts';
import { videoFactors } from './video-units.ts';

/** What stands for a ratio or a price that a call has none of. */
const NONE = -1;
const PLAIN_FIRST_BYTE = -1000;
const LONG_WRITE = 1.6;

const BY_OPENAI: Readonly<Record<string, readonly string[]>> = {
  '/v1/responses': ['OpenAI Responses'],
  '/v1/messages': ['Claude Messages', 'OpenAI Compatible'],
};
const BY_CLAUDE: Readonly<Record<string, readonly string[]>> = {
  '/v1/responses': ['OpenAI Responses', 'Claude Messages'],
  '/v1/messages': ['Claude Messages'],
  '/v1/chat/completions': ['OpenAI Compatible', 'Claude Messages'],
};

/** `other` of a charge: its own price terms, so that the charge can be computed from the row alone. */
export function otherOf(source: RowSource): object {
  const { key, model, detail } = source;
  const group = { group_ratio: groupRatio(key), user_group_ratio: NONE };
  const path = { request_path: detail?.endpoint ?? DEFAULT_PATH[model?.kind ?? 'text'] };
  switch (model?.kind) {
    case 'video':
      return { is_task: true, model_price: Number(basePrice(model)), ...group, ...path };
    case 'image':
      return {
        billing_source: 'wallet',
        ...{ model_ratio: 0, completion_ratio: 0, cache_tokens: 0, cache_ratio: 0 },
        ...group,
        model_price: imagePrice(model, source),
        ...firstByte(source),
        ...path,
        request_conversion: ['OpenAI Compatible'],
      };
    case 'text':
      return {
        billing_source: 'wallet',
        ...tokenTerms(model, source),
        ...group,
        model_price: NONE,
        ...firstByte(source),
        ...path,
        request_conversion: conversionOf(model, path.request_path),
      };
    default:
      return { billing_source: 'wallet', ...group, ...path };
  }
}

/** `other` of a refund: the task, and what its charge was made of. */
export function refundOf({ key, model, detail }: RowSource, task_id: string): string {
  const work = detail?.work;
  const price = model?.kind === 'video' ? Number(basePrice(model)) : NONE;
  const factors = work?.kind === 'video' ? videoFactors(work) : null;
  const reason = 'task failed';
  return JSON.stringify({ task_id, reason, model_price: price, group_ratio: groupRatio(key), ...factors });
}

const DEFAULT_PATH = {
  text: '/v1/chat/completions',
  image: '/v1/images/generations',
  video: '/v1/videos',
} as const;

function groupRatio({ group = 'default' }: ApiKey): number {
  return Number(GROUP_RATIOS[group] ?? '1');
}

/** Where it has a grid, the price of its cell. */
function imagePrice(model: ImageModel, { detail }: RowSource): number {
  const work = detail?.work;
  if (work?.kind !== 'image' || !isGrid(model)) return Number(basePrice(model));
  const tier = model.tiers.find(({ size, quality }) => size === work.size && quality === work.quality);
  return Number(tier?.price ?? basePrice(model));
}

function firstByte({ detail }: RowSource): { readonly frt: number } {
  const first = detail?.times?.firstToken_ms ?? null;
  return { frt: detail?.note?.stream === true && first !== null ? Math.round(first) : PLAIN_FIRST_BYTE };
}

function conversionOf(model: TextModel, path: string): readonly string[] {
  return (isClaude(model) ? BY_CLAUDE : BY_OPENAI)[path] ?? ['OpenAI Compatible'];
}

function tokenTerms(model: TextModel, { record: { usage }, detail }: RowSource): object {
  const { input, output, cache_read, cache_write } = model;
  const terms = {
    model_ratio: modelRatio(model),
    completion_ratio: toldRatio(output, input),
    cache_tokens: usage.cacheRead,
    cache_ratio: cache_read === null ? 1 : toldRatio(cache_read, input),
  };
  if (cache_write === null) return terms;
  const create = toldRatio(cache_write, input);
  const isLong = detail?.work?.kind === 'text' && detail.work.extras?.longWrites === true;
  const [short, long] = isLong ? [0, usage.cacheWrite] : [usage.cacheWrite, 0];
  return {
    ...terms,
    claude: true,
    usage_semantic: 'anthropic',
    cache_creation_tokens: usage.cacheWrite,
    cache_creation_ratio: create,
    cache_creation_tokens_5m: short,
    cache_creation_ratio_5m: create,
    cache_creation_tokens_1h: long,
    cache_creation_ratio_1h: longRatio(model),
    cache_write_tokens: usage.cacheWrite,
  };
}

/** The ratio of a write of an hour, as a decimal and not as a product of doubles. */
function longRatio({ input, cache_write }: TextModel): number {
  return Number((toldRatio(cache_write ?? input, input) * LONG_WRITE).toFixed(12));
}
