import { resolve } from 'node:path';
import { DEFAULTS } from './defaults.ts';
import { parseDuration } from './duration.ts';
import type { ResolvedText } from './resolved-config.ts';
import type { Spread } from './spread.ts';
import type { TrafficFile } from './traffic-schema.ts';

/** The value of a key of an entry, noting who set it. */
export type Take = <T>(key: string, file: T | undefined, fallback: T) => T;

const { traffic } = DEFAULTS;

/** What an entry of a text kind says of its calls. Paths start from `folder`. */
export function resolveText(entry: TrafficFile, take: Take, folder: string): ResolvedText {
  const prompts = take('prompts', entry.prompts, undefined);
  const session = take('session', entry.session, undefined);
  const watermark = take('watermark', entry.watermark, undefined);
  return {
    ...resolveSizes(entry, take),
    cached_share: take<number>('cached_share', entry.cached_share, traffic.cached_share),
    prompts:
      prompts === undefined
        ? null
        : { file: resolve(folder, prompts.file), order: prompts.order ?? traffic.prompts_order },
    session:
      session === undefined
        ? null
        : { turns: session.turns, think_ms: session.think ?? parseDuration(traffic.think) ?? 0 },
    watermark_modulus: (typeof watermark === 'object' ? watermark.modulus : watermark) ?? null,
  };
}

/** What a trace may say too. */
export function resolveSizes(
  entry: Pick<TrafficFile, 'stream' | 'prompt_tokens' | 'max_tokens'>,
  take: Take,
): Pick<ResolvedText, 'stream_share' | 'prompt_tokens' | 'max_tokens'> {
  return {
    stream_share: take<number>('stream', entry.stream, traffic.stream),
    prompt_tokens: take<Spread>('prompt_tokens', entry.prompt_tokens, traffic.prompt_tokens),
    max_tokens: take<Spread>('max_tokens', entry.max_tokens, traffic.max_tokens),
  };
}
