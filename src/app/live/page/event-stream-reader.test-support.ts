import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** For one event; they come as soon as they are pushed. */
const LONGEST_WAIT_MS = 5_000;

/** Reads a stream of server-sent events, one after the other. */
export class EventStreamReader {
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;
  readonly #events: EventSourceMessage[] = [];
  readonly #parser = createParser({ onEvent: (event) => this.#events.push(event) });
  readonly #decoder = new TextDecoder();

  private constructor(body: ReadableStreamDefaultReader<Uint8Array>) {
    this.#body = body;
  }

  static async open(url: string): Promise<EventStreamReader> {
    const { body } = await fetch(url);
    if (body === null) throw new Error('expected a body');
    return new EventStreamReader(body.getReader());
  }

  async next(): Promise<EventSourceMessage> {
    const late = setTimeout(() => void this.close(), LONGEST_WAIT_MS);
    try {
      for (;;) {
        const event = this.#events.shift();
        if (event !== undefined) return event;
        const { done, value } = await this.#body.read();
        if (done) throw new Error('the stream ended, or had no event for too long');
        this.#parser.feed(this.#decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(late);
    }
  }

  async close(): Promise<void> {
    await this.#body.cancel();
  }
}
