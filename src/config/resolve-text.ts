import { resolve } from 'node:path';
import type { TokenKind } from '../core/call-kind.ts';
import { DEFAULTS } from './defaults.ts';
import { msOf } from './duration.ts';
import type { Take } from './layers.ts';
import type { ResolvedText } from './resolved-config.ts';
import type { TrafficFile } from './traffic-schema.ts';

const { traffic } = DEFAULTS;

/** What an entry of a text kind says of its calls. Paths start from `folder`. */
export function resolveText(take: Take<TrafficFile>, folder: string, kind: TokenKind): ResolvedText {
  const key = take('max_tokens_key', 'auto');
  const prompts = take('prompts', undefined);
  const session = take('session', undefined);
  const watermark = take('watermark', undefined);
  return {
    ...resolveSizes(take),
    // Vectors come at once, and are no tokens.
    ...(kind === 'embedding' ? { stream_share: 0, max_tokens: 0 } : {}),
    max_tokens_key: key === 'auto' ? null : key,
    cached_share: take('cached_share', traffic.cached_share),
    prompts:
      prompts === undefined
        ? null
        : { file: resolve(folder, prompts.file), order: prompts.order ?? traffic.prompts_order },
    session:
      session === undefined ? null : { turns: session.turns, think_ms: session.think ?? msOf(traffic.think) },
    watermark_modulus: (typeof watermark === 'object' ? watermark.modulus : watermark) ?? null,
  };
}

/** What a trace may say too. */
export function resolveSizes(
  take: Take<Pick<TrafficFile, 'stream' | 'prompt_tokens' | 'max_tokens'>>,
): Pick<ResolvedText, 'stream_share' | 'prompt_tokens' | 'max_tokens'> {
  return {
    stream_share: take('stream', traffic.stream),
    prompt_tokens: take('prompt_tokens', traffic.prompt_tokens),
    max_tokens: take('max_tokens', traffic.max_tokens),
  };
}
