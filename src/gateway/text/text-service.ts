import type { SeededRandom } from '../../core/seeded-random.ts';
import { NO_EXTRAS, type TextExtras } from '../charging/text-extras.ts';
import type { TextRequest } from '../formats/text-format.ts';
import { invalidRequest } from '../http/api-error.ts';
import { drawLogNormal } from '../latency/distribution.ts';
import type { TextModel } from '../models/model.ts';
import { SENTENCES } from './sentences.ts';

/** Searches of one call at most. */
const MOST_SEARCHES = 3;

const REASONING = { median: 60, spread: 0.5 };
const DEFAULT_TIER = 'default';

/** How a call is served beyond its text, and what of that is charged. */
export interface TextService {
  readonly extras: TextExtras;
  /** As the answer tells them: null where the model has no such thing. */
  readonly reasoning: number | null;
  readonly serviceTier: string | null;
  readonly searches: readonly string[];
}

const PLAIN_SERVICE: TextService = { extras: NO_EXTRAS, reasoning: null, serviceTier: null, searches: [] };

/** Draws only where the model has something to draw for. Reasoning takes half of `limit`, the output limit, at most. */
export function textService(
  { reasons, service_tiers, tools }: TextModel,
  { serviceTier: asked, mayUseTools }: TextRequest,
  limit: number,
  random: SeededRandom,
): TextService {
  if (reasons === undefined && service_tiers === undefined && tools === undefined) return PLAIN_SERVICE;
  const drawn = reasons === undefined ? 0 : drawLogNormal(random, REASONING.median, REASONING.spread);
  const reasoning = Math.min(Math.round(drawn), Math.floor(limit / 2));
  const tier = service_tiers?.find(({ service_tier }) => service_tier === asked)?.service_tier ?? null;
  const searches = tools === undefined || !mayUseTools ? [] : drawSearches(random);
  return {
    extras: { serviceTier: tier, reasoning, toolCalls: searches.length },
    reasoning: reasons === undefined ? null : reasoning,
    serviceTier: service_tiers === undefined ? null : (tier ?? DEFAULT_TIER),
    searches,
  };
}

/** What a call may be charged at most beside its tokens, so far as its request tells. */
export function mostExtras({ extras }: TextService): TextExtras {
  return { ...extras, toolCalls: extras.toolCalls === 0 ? 0 : MOST_SEARCHES };
}

function drawSearches(random: SeededRandom): readonly string[] {
  return Array.from({ length: 1 + random.below(MOST_SEARCHES) }, () => {
    const [, ...words] = SENTENCES[random.below(SENTENCES.length)]?.pieces ?? [];
    return words.slice(0, 3).join('').trim();
  });
}

/** What is held for a request that sets no limit, and its limit. */
const DEFAULT_MAX_TOKENS = 4096;

/** Output tokens that the call may have; throws ApiError 400 for a limit or a prompt that the model cannot take. */
export function outputLimit(asked: TextRequest, model: TextModel, promptTokens: number): number {
  const { context_window, max_output_tokens } = model;
  const room = context_window - promptTokens;
  const limit = asked.maxTokens ?? Math.min(DEFAULT_MAX_TOKENS, max_output_tokens, room);
  if (limit > max_output_tokens) {
    throw invalidRequest(
      `The limit of ${limit} output tokens is above the ${max_output_tokens} that the model supports`,
    );
  }
  if (limit > room || limit < 1) {
    throw invalidRequest(
      `The prompt of ${room < 0 ? `more than ${context_window}` : promptTokens} tokens and its output do not fit into the model's context of ${context_window} tokens`,
      'context_length_exceeded',
    );
  }
  return limit;
}
