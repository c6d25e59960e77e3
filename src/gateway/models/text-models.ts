import type { TextModel } from './model.ts';

type Prices = readonly [input: string, output: string, cacheRead: string | null, cacheWrite: string | null];
type Limits = readonly [contextWindow: number, maxOutput: number];

function text(id: string, tokenizer: TextModel['tokenizer'], prices: Prices, limits: Limits): TextModel {
  const [input, output, cache_read, cache_write] = prices;
  const [context_window, max_output_tokens] = limits;
  return {
    kind: 'text',
    id,
    tokenizer,
    input,
    output,
    cache_read,
    cache_write,
    context_window,
    max_output_tokens,
  };
}

const LONG_NAME = 'archive/of-very-long-model-identifiers/';

/** An id of 191 characters, the longest that the usage filter takes (interface §8). */
export const LONGEST_ID = LONG_NAME + 'x'.repeat(191 - LONG_NAME.length);

/** Text models at price levels seen in public lists; the odd ids are there to be carried intact. */
export const TEXT_MODELS: readonly TextModel[] = [
  text('aspen-nano', 'o200k_base', ['0.05', '0.4', '0.005', null], [128_000, 16_384]),
  text('aspen-mini', 'o200k_base', ['0.15', '0.6', '0.075', null], [128_000, 16_384]),
  text('aspen', 'o200k_base', ['2.5', '10', '1.25', null], [128_000, 16_384]),
  text('aspen-2026-05-13', 'o200k_base', ['1.25', '10', '0.125', null], [400_000, 128_000]),
  text('aspen-pro', 'o200k_base', ['15', '120', null, null], [400_000, 128_000]),
  text('birch-4.1-nano', 'o200k_base', ['0.1', '0.4', '0.025', null], [1_047_576, 32_768]),
  text('birch-4.1-mini', 'o200k_base', ['0.4', '1.6', '0.1', null], [1_047_576, 32_768]),
  text('birch-4.1', 'o200k_base', ['2', '8', '0.5', null], [1_047_576, 32_768]),
  text('cedar-haiku', 'bytes', ['0.8', '4', '0.08', '1'], [200_000, 8192]),
  text('cedar-haiku-4.5', 'bytes', ['1', '5', '0.1', '1.25'], [200_000, 64_000]),
  text('cedar-sonnet', 'bytes', ['3', '15', '0.3', '3.75'], [200_000, 64_000]),
  text('cedar-opus', 'bytes', ['5', '25', '0.5', '6.25'], [200_000, 32_000]),
  text('cedar-opus-classic', 'bytes', ['15', '75', '1.5', '18.75'], [200_000, 32_000]),
  text('dune-flash-lite', 'bytes', ['0.1', '0.4', '0.025', null], [1_048_576, 65_536]),
  text('dune-flash', 'bytes', ['0.3', '2.5', '0.075', null], [1_048_576, 65_536]),
  text('dune-pro', 'bytes', ['1.25', '10', '0.31', null], [1_048_576, 65_536]),
  text('elm/elm-8b-instruct', 'bytes', ['0.018', '0.05', null, null], [131_072, 8192]),
  text('elm/elm-70b-instruct:free-tier', 'bytes', ['0.1', '0.32', null, null], [131_072, 16_384]),
  text('elm/elm-405b@bf16', 'bytes', ['0.8', '0.8', null, null], [131_072, 16_384]),
  text('fjord-chat', 'bytes', ['0.27', '1.1', '0.07', null], [65_536, 8192]),
  text('fjord-reasoner', 'bytes', ['0.55', '2.19', '0.14', null], [65_536, 65_536]),
  text('glen-small', 'bytes', ['0.1', '0.3', null, null], [32_768, 8192]),
  text('glen-large', 'bytes', ['2', '6', null, null], [131_072, 16_384]),
  text('heath,large=v2', 'bytes', ['0.4', '1.2', '0.04', null], [262_144, 16_384]),
  text('isle max preview', 'bytes', ['1.6', '6.4', null, null], [32_768, 8192]),
  text('juniper "quoted" model', 'bytes', ['0.055', '0.22', null, null], [131_072, 8192]),
  text("kelp's finest", 'bytes', ['0.0375', '0.15', null, null], [131_072, 8192]),
  text(LONGEST_ID, 'o200k_base', ['0.2', '0.8', '0.05', '0.25'], [131_072, 8192]),
];
