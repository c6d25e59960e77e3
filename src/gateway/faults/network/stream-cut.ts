import type { StreamFrame } from '../../formats/stream-player.ts';
import type { CutManner } from '../../formats/stream-sink.ts';

/** A cut inside an event: part of it is written, nothing after it. */
export class StreamCut {
  readonly #manner: CutManner;
  readonly #fire: () => void;
  #due = false;

  constructor(manner: CutManner, fire: () => void) {
    this.#manner = manner;
    this.#fire = fire;
  }

  /** What is written of `frame`, which counts as no event, and then the frame before which the cut falls due. */
  *inside(frame: StreamFrame, text: string): Generator<StreamFrame, undefined> {
    yield { ...frame, text, hasText: false, last: false, event: false };
    this.#due = true;
    yield { ...frame, last: false };
    return undefined;
  }

  /** The hook of the same name. */
  cutBefore(): CutManner | null {
    if (!this.#due) return null;
    this.#fire();
    return this.#manner;
  }
}
