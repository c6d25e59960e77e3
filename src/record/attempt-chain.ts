import { createHash } from 'node:crypto';

/** Where an attempt stands among those of its call. */
export interface AttemptPlace {
  readonly logical_id: string;
  /** From 1 on. */
  readonly attempt: number;
}

/** Both official clients count their own retries in this header, from 0 on. */
const RETRY_COUNT = 'x-stainless-retry-count';
/** Longer than either client waits before it sends a call again. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 1_000;

interface Failed {
  readonly place: AttemptPlace;
  readonly at: number;
}

/**
 * Tells which attempts belong to one call. A client says with each request how many attempts went before,
 * and not which:
 * that is known where an attempt of this number, address and body failed before, the longest ago first.
 * Bodies are
 * compared by their hash. An attempt whose forerunner is not known stands alone, under the number it tells.
 */
export class AttemptChain {
  readonly #failed = new Map<string, Failed[]>();
  #kept = 0;

  placeOf(url: string, headers: Headers, body: unknown, fresh: string, now: number): AttemptPlace {
    const attempt = retriesIn(headers) + 1;
    if (attempt === 1 || typeof body !== 'string') return { logical_id: fresh, attempt };
    const key = keyOf(url, body, attempt - 1);
    const waiting = this.#failed.get(key) ?? [];
    while ((waiting[0]?.at ?? now) < now - KEPT_MS) this.#drop(key, waiting);
    const before = waiting[0];
    if (before === undefined) return { logical_id: fresh, attempt };
    this.#drop(key, waiting);
    return { logical_id: before.place.logical_id, attempt };
  }

  /** An attempt failed in a way after which a client may send it again. */
  failed(url: string, body: unknown, place: AttemptPlace, now: number): void {
    if (typeof body !== 'string') return;
    if (this.#kept >= MOST_KEPT) this.#forgetOldest();
    const key = keyOf(url, body, place.attempt);
    const waiting = this.#failed.get(key);
    if (waiting === undefined) this.#failed.set(key, [{ place, at: now }]);
    else waiting.push({ place, at: now });
    this.#kept += 1;
  }

  #drop(key: string, waiting: Failed[]): void {
    waiting.shift();
    this.#kept -= 1;
    if (waiting.length === 0) this.#failed.delete(key);
  }

  #forgetOldest(): void {
    const [oldest] = this.#failed;
    if (oldest === undefined) return;
    this.#kept -= oldest[1].length;
    this.#failed.delete(oldest[0]);
  }
}

function retriesIn(headers: Headers): number {
  const told = headers.get(RETRY_COUNT) ?? '';
  return /^\d{1,3}$/.test(told) ? Number(told) : 0;
}

function keyOf(url: string, body: string, attempt: number): string {
  return `${attempt} ${url} ${createHash('sha256').update(body).digest('base64')}`;
}
