import type { Buffer } from 'node:buffer';
import { createGzip, type Gzip } from 'node:zlib';
import type { CutManner, StreamSink } from '../../formats/stream-sink.ts';
import { firing, plainFault } from '../../hooks/fault-definition.ts';

/** Compressed whether the client asked for it or not; flushed with every write, so that no event waits for another. */
export const netGzipStream = plainFault({
  id: 'net.gzip_stream',
  summary: 'Compresses a stream with gzip, asked for or not, and flushes it with each event.',
  applies: (call) => call.stream,
  arm: ({ fire }) => ({
    head: firing(fire, (head) => ({ ...head, headers: { ...head.headers, 'content-encoding': 'gzip' } })),
    sink: (next) => new GzipSink(next),
  }),
});

class GzipSink implements StreamSink {
  readonly #next: StreamSink;
  readonly #gzip: Gzip = createGzip();
  #resume: (() => void) | null = null;
  #writable = true;

  constructor(next: StreamSink) {
    this.#next = next;
    this.#gzip.on('data', (bytes: Buffer) => {
      this.#writable = next.write(bytes);
    });
  }

  write(bytes: string | Buffer): boolean {
    this.#gzip.write(bytes);
    this.#gzip.flush(() => this.#flushed());
    return false;
  }

  onceDrained(resume: () => void): void {
    this.#resume = resume;
  }

  end(bytes: string | Buffer, ended: () => void): void {
    this.#gzip.once('end', () => this.#next.end('', ended));
    this.#gzip.end(bytes);
  }

  cut(manner: CutManner): void {
    this.#gzip.flush(() => this.#next.cut(manner));
  }

  later(ms: number, action: () => void): void {
    this.#next.later(ms, action);
  }

  #flushed(): void {
    const resume = this.#resume;
    this.#resume = null;
    if (resume === null) return;
    if (this.#writable) resume();
    else this.#next.onceDrained(resume);
  }
}
