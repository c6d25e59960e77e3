import { SECONDS_PER_DAY } from '../../core/time.ts';
import type { KeptAnswer, KeptAnswerEvent } from '../events/books-event.ts';
import { conflict } from '../http/api-error.ts';
import { type Clock, unixSeconds } from '../time/clock.ts';

/** How long a key stands for its first request. */
export const KEY_LIFE_S = SECONDS_PER_DAY;

/** An answer with the name of its request. */
export type NamedAnswer = Omit<KeptAnswerEvent, 'type'>;

/** Where answers are told to that outlive the process. */
export interface AnswerLog {
  append(event: KeptAnswerEvent): void;
}

/** What names a request that may be sent again. */
export interface NamedRequest {
  /** The API key and what the client chose. */
  readonly name: string;
  /** Of everything that the request asks for. */
  readonly digest: string;
  readonly what: 'image' | 'video';
}

interface Entry {
  readonly digest: string;
  /** Unix seconds. */
  readonly since: number;
  /** Null while the first request runs. */
  answer: KeptAnswer | null;
}

/** The first answer to each `Idempotency-Key`, kept for a day. */
export class IdempotencyStore {
  readonly #clock: Clock;
  readonly #log: AnswerLog | null;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, log: AnswerLog | null = null) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Takes an answer over from an earlier process; they come in the order of their start. */
  takeOver({ name, digest, since, answer }: NamedAnswer): void {
    this.#entries.set(name, { digest, since, answer });
  }

  /** The answer to give again, or null where the caller is the first: it then must `keep` or `release`. */
  claim({ name, digest, what }: NamedRequest): KeptAnswer | null {
    this.#forgetOld();
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      this.#entries.set(name, { digest, since: this.#now(), answer: null });
      return null;
    }
    if (entry.digest !== digest) {
      throw conflict(
        'idempotency_conflict',
        'This Idempotency-Key was used for another request; use a new key',
      );
    }
    if (entry.answer !== null) return entry.answer;
    throw conflict(
      `${what}_submission_pending`,
      'The first request with this Idempotency-Key is still running; wait and send it again',
      { 'retry-after': '1' },
    );
  }

  keep(name: string, answer: KeptAnswer): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.answer = answer;
    const { digest, since } = entry;
    this.#log?.append({ type: 'answer', name, digest, since, answer });
  }

  /** Nothing was charged: the key may be used again. */
  release(name: string): void {
    this.#entries.delete(name);
  }

  /** Entries stand in the order of their start. */
  #forgetOld(): void {
    const oldest = this.#now() - KEY_LIFE_S;
    for (const [name, { since }] of this.#entries) {
      if (since >= oldest) return;
      this.#entries.delete(name);
    }
  }

  #now(): number {
    return unixSeconds(this.#clock.wallMs());
  }
}
