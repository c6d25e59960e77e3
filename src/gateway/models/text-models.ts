import type { ModelTextPrices, TextModel } from './model.ts';

type Prices = readonly [input: string, output: string, cacheRead: string | null, cacheWrite: string | null];
type Limits = readonly [contextWindow: number, maxOutput: number];
type Further = Pick<TextModel, 'reasons' | 'reasoning' | 'context_tiers' | 'service_tiers' | 'tools'>;

function text(
  id: string,
  tokenizer: TextModel['tokenizer'],
  prices: Prices,
  limits: Limits,
  further: Further = {},
): TextModel {
  const [context_window, max_output_tokens] = limits;
  return { kind: 'text', id, tokenizer, ...at(prices), context_window, max_output_tokens, ...further };
}

function at([input, output, cache_read, cache_write]: Prices): ModelTextPrices {
  return { input, output, cache_read, cache_write };
}

const LONG_NAME = 'archive/of-very-long-model-identifiers/';

/** An id of 191 characters, the longest that the usage filter takes (interface §8). */
const LONGEST_ID = LONG_NAME + 'x'.repeat(191 - LONG_NAME.length);

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
  // The low edges let a short prompt cross them.
  text('maple-long', 'bytes', ['1.1', '8.8', '0.11', '1.375'], [200_000, 16_384], {
    context_tiers: {
      inclusive: 'gt',
      thresholds: [{ above: 2000, ...at(['2.2', '13.2', '0.22', '2.75']) }],
    },
  }),
  text('maple-steps', 'bytes', ['0.7', '2.8', null, null], [65_536, 8192], {
    context_tiers: {
      inclusive: 'ge',
      thresholds: [
        { above: 1000, ...at(['1.4', '5.6', null, null]) },
        { above: 3000, ...at(['2.1', '11.2', null, null]) },
      ],
    },
  }),
  text('oak-think', 'bytes', ['1.3', '5.2', '0.13', null], [131_072, 16_384], { reasons: true }),
  text('oak-think-deep', 'bytes', ['2.6', '10.4', '0.26', null], [131_072, 16_384], {
    reasons: true,
    reasoning: '7.8',
  }),
  text('pine', 'bytes', ['1.7', '6.8', '0.17', null], [131_072, 16_384], {
    service_tiers: [
      { service_tier: 'priority', ...at(['3.4', '13.6', '0.34', null]) },
      { service_tier: 'flex', ...at(['0.85', '3.4', '0.085', null]) },
    ],
  }),
  text('rowan-search', 'bytes', ['0.9', '3.6', null, null], [131_072, 8192], {
    tools: [{ tool: 'web_search', price: '0.01' }],
  }),
];
