import type { BookAdapter } from './book-adapter.ts';
import { gatewayPerToken } from './gateway-per-token.ts';
import { gatewayPlain } from './gateway-plain.ts';
import { gatewayRatio } from './gateway-ratio.ts';
import { genaiPrices } from './genai-prices.ts';
import { litellm } from './litellm.ts';
import { newApi } from './new-api.ts';
import { openrouter } from './openrouter.ts';

/** Every layout that is known by its look. A price list of one's own is read by what its file is. */
export const ADAPTERS: readonly BookAdapter[] = [
  gatewayPlain,
  gatewayRatio,
  gatewayPerToken,
  newApi,
  litellm,
  openrouter,
  genaiPrices,
];
