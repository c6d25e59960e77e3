/** USD decimal strings per 1,000,000 tokens. */
export interface ModelTextPrices {
  readonly input: string;
  readonly output: string;
  /** Null where the model has no cache of that kind. */
  readonly cache_read: string | null;
  readonly cache_write: string | null;
  /** Of reasoning tokens, which are inside the output; absent: that of output. */
  readonly reasoning?: string;
}

/** The prices of a whole call whose context is longer than so many tokens. */
interface ContextTier extends ModelTextPrices {
  readonly above: number;
}

export interface ContextTiers {
  /** Whether a context of exactly `above` tokens is below the edge (`gt`) or beyond it (`ge`). */
  readonly inclusive: 'gt' | 'ge';
  /** By rising `above`. */
  readonly thresholds: readonly ContextTier[];
}

/** The prices of calls that are served at another tier of service than the default one. */
interface ServiceTier extends ModelTextPrices {
  readonly service_tier: string;
}

/** What one call of a tool on the side of the server costs. */
interface ToolPrice {
  readonly tool: 'web_search';
  readonly price: string;
}

/** Prices are USD decimal strings: text per 1,000,000 tokens, images each, videos per second. */
export interface TextModel extends ModelTextPrices {
  readonly kind: 'text';
  readonly id: string;
  readonly tokenizer: 'o200k_base' | 'bytes';
  readonly context_window: number;
  readonly max_output_tokens: number;
  /** Whether it reasons before it answers. The rest is absent where a model has none of it. */
  readonly reasons?: true;
  /** A model has these or `service_tiers`, not both. */
  readonly context_tiers?: ContextTiers;
  readonly service_tiers?: readonly ServiceTier[];
  readonly tools?: readonly ToolPrice[];
}

export interface ImageTier {
  readonly size: string;
  readonly quality: string;
  readonly price: string;
}

export interface ImageModel {
  readonly kind: 'image';
  readonly id: string;
  readonly tiers: readonly ImageTier[];
  /** What an edit costs beside its image; absent: nothing. */
  readonly edit_fee?: string;
  /** False: the job routes answer with a definitive unsupported-route error (interface §4 note 1). */
  readonly jobs: boolean;
}

interface VideoTier {
  /** Width x height, the `size` of a request. */
  readonly resolution: string;
  readonly price: string;
}

export interface VideoModel {
  readonly kind: 'video';
  readonly id: string;
  readonly tiers: readonly VideoTier[];
  /** Whether a price is that of a whole video, whatever its seconds. */
  readonly per_video?: true;
  readonly max_seconds: number;
}

export type Model = TextModel | ImageModel | VideoModel;
