import { withoutMarkers } from '../../core/marker.ts';
import type { SeededRandom } from '../../core/seeded-random.ts';
import { type Hash, hashText, QuickRandom } from './quick-random.ts';

/** What a call draws: a function of seed, endpoint, model and prompt, so that calls beside it change nothing. */
export class CallRandom {
  readonly #hash: Hash;

  /** Without its marker a planned call has the same prompt in every run. */
  constructor(seed: number, endpoint: string, model: string, prompt: string) {
    const name = hashText(`${seed}\u0000${endpoint}\u0000${model}\u0000`);
    this.#hash = hashText(withoutMarkers(prompt), name);
  }

  /** For the text of the reply. */
  reply(): SeededRandom {
    return new QuickRandom(this.#hash, 1);
  }

  /** For its times, whatever the reply drew. */
  times(): SeededRandom {
    return new QuickRandom(this.#hash, 2);
  }
}
