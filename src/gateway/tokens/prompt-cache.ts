import { createHash } from 'node:crypto';
import type { TextModel } from '../models/model.ts';
import type { PromptMessage } from './prompt-message.ts';

export const CACHE_MIN_TOKENS = 1024;
export const CACHE_LIFE_MS = 5 * 60_000;
export const LONG_CACHE_LIFE_MS = 60 * 60_000;

export interface CacheUse {
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const NOT_CACHED: CacheUse = { cacheRead: 0, cacheWrite: 0 };

/**
 * All messages but the last, of 1,024 tokens or more: read from the cache when the same key and model had them
 * within 5 minutes, or an hour where they were written for one, else written to it. Either counts only where the model has a price for it.
 */
export class PromptCache {
  /** By its life: moment of the last use, in order of use. */
  readonly #byLife = new Map<number, Map<string, number>>();

  look(
    owner: string,
    model: TextModel,
    messages: readonly PromptMessage[],
    prefixTokens: number,
    now_ms: number,
    life_ms = CACHE_LIFE_MS,
  ): CacheUse {
    if (model.cache_read === null || prefixTokens < CACHE_MIN_TOKENS) return NOT_CACHED;
    this.#forget(now_ms);
    const name = cacheName(owner, model.id, messages.slice(0, -1));
    const held = [...this.#byLife].find(([, used]) => used.delete(name));
    const hit = held !== undefined;
    this.#used(Math.max(life_ms, held?.[0] ?? 0)).set(name, now_ms);
    if (hit) return { cacheRead: prefixTokens, cacheWrite: 0 };
    return model.cache_write === null ? NOT_CACHED : { cacheRead: 0, cacheWrite: prefixTokens };
  }

  clear(): void {
    this.#byLife.clear();
  }

  #used(life_ms: number): Map<string, number> {
    const used = this.#byLife.get(life_ms) ?? new Map<string, number>();
    this.#byLife.set(life_ms, used);
    return used;
  }

  #forget(now_ms: number): void {
    for (const [life_ms, all] of this.#byLife) {
      for (const [name, used] of all) {
        if (now_ms - used <= life_ms) break;
        all.delete(name);
      }
    }
  }
}

function cacheName(owner: string, model: string, prefix: readonly PromptMessage[]): string {
  const hash = createHash('sha256').update(JSON.stringify([owner, model]));
  for (const { role, text } of prefix) hash.update(JSON.stringify([role, text]));
  return hash.digest('base64');
}
