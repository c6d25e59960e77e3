/** Prices are USD decimal strings: text per 1,000,000 tokens, images each, videos per second. */
export interface TextModel {
  readonly kind: 'text';
  readonly id: string;
  readonly tokenizer: 'o200k_base' | 'bytes';
  readonly input: string;
  readonly output: string;
  /** Null where the model has no cache of that kind. */
  readonly cache_read: string | null;
  readonly cache_write: string | null;
  readonly context_window: number;
  readonly max_output_tokens: number;
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
  /** False: the job routes answer with a definitive unsupported-route error (interface §4 note 1). */
  readonly jobs: boolean;
}

export interface VideoTier {
  /** Width x height, the `size` of a request. */
  readonly resolution: string;
  readonly price: string;
}

export interface VideoModel {
  readonly kind: 'video';
  readonly id: string;
  readonly tiers: readonly VideoTier[];
  readonly max_seconds: number;
}

export type Model = TextModel | ImageModel | VideoModel;
