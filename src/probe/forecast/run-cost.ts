import type { PriceBook } from '../../contracts/price-book.ts';
import { isTextApi, type Probe } from '../../contracts/probe-plan.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../../core/prompt-text.ts';
import { priceBounds, roundingGuard } from '../../pricebook/charge/price-bounds.ts';

export interface RunCost {
  /** By the dearest tier, if the answer is as long as was asked for. */
  readonly expected: PicoUsd;
  /** What a run must reserve. */
  readonly worst: PicoUsd;
}

/** Input tokens that a gateway's roles and template may add to a prompt, and that our marker does. */
const OVERHEAD_TOKENS = 1_024;

/** The image that an edit carries, where the book prices it by tokens: ours is small, vendors count some thousand at most. */
const EDIT_TOKENS = 8_192;

/**
 * What one run of a paid probe costs by the book; null where its model has no price, or one that nothing bounds. The worst
 * case takes every byte of the prompt as a token and all of `max_tokens`: a gateway that writes more is found when the run is
 * settled, and what it charged counts against the caps in full.
 */
export function runCost(book: PriceBook, probe: Probe): RunCost | null {
  const { api, model, size, quality, seconds } = probe;
  if (model === null || !isPaidKind(api)) return null;
  const bound = priceBounds(book, model, api, {
    ...(probe.max_tokens === null ? {} : { max_output_tokens: probe.max_tokens }),
    ...(isTextApi(api) || api === 'video' ? {} : { images: 1 }),
    ...(quality === null ? {} : { quality }),
    ...(seconds === null ? {} : { seconds }),
    ...shapeOf(api, size),
  });
  if (bound === null) return null;
  const input = BigInt(bound.per_input_token);
  const output = BigInt(bound.per_output_token) * BigInt(bound.max_output_tokens);
  const bytes = Buffer.byteLength(probe.prompt ?? '');
  const fixed = BigInt(bound.fixed);
  return {
    expected:
      input * BigInt(Math.ceil((bytes * 100) / BYTES_PER_TOKEN_HUNDREDTHS)) +
      output +
      fixed -
      // Rounding goes up and down alike over many runs: only a bound has to allow for it.
      roundingGuard(book),
    worst: input * BigInt(bytes + OVERHEAD_TOKENS + (isEdit(api) ? EDIT_TOKENS : 0)) + output + fixed,
  };
}

function isEdit(api: Probe['api']): boolean {
  return api === 'image_edit' || api === 'image_edit_job';
}

/** Books price a video by its resolution, an image by its size. */
function shapeOf(api: Probe['api'], size: string | null): { resolution?: string; size?: string } {
  if (size === null) return {};
  return api === 'video' ? { resolution: size } : { size };
}
