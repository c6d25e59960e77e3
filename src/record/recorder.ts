import { LedgerSink, type SinkOptions } from '../ledger/ledger-sink.ts';
import { SecretMask } from '../secrets/secret-mask.ts';
import type { RecordedStart } from './answer-row.ts';
import { AttemptChain } from './attempt-chain.ts';
import { CallRecorder, intentOf, tapped } from './call-recorder.ts';
import { type FailureKind, failureKind } from './failure-kind.ts';
import { type PaidRoute, routeOf } from './paid-route.ts';
import { PlainReader } from './plain-reader.ts';
import { requestFacts, requestPrefixes } from './request-facts.ts';
import { fingerprintOfKey, keyOf } from './request-key.ts';
import { TaskWatch } from './task-watch.ts';

export interface RecordCounts {
  /** Paid calls that went through. */
  readonly calls: number;
  readonly intents: number;
  readonly rows: number;
  /** Failures of the recording; the calls they happened in went on. */
  readonly failures: number;
  /** POST requests of kinds that a ledger has no name for, such as embeddings: not recorded. */
  readonly other_posts: number;
}

export interface RecorderOptions extends SinkOptions {
  readonly onError: ((error: unknown) => void) | null;
}

/** A paid call on its way. */
interface Going {
  readonly start: RecordedStart;
  readonly recorder: CallRecorder;
  readonly url: string;
  readonly body: unknown;
  readonly signal: AbortSignal | null;
}

interface Sent {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal | null;
}

const MASK = '[key]';

/** All calls of one wrapped `fetch`. */
export class Recorder {
  readonly counts = { calls: 0, intents: 0, rows: 0, failures: 0, other_posts: 0 };
  readonly #options: RecorderOptions;
  readonly #sink: LedgerSink;
  readonly #attempts = new AttemptChain();
  readonly #tasks = new TaskWatch();
  readonly #failedAttempts = new WeakSet<Going>();
  #started = 0;
  /** Of the last key: a client mostly has one. */
  #known = { key: '', mask: new SecretMask([], MASK) };

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#sink = new LedgerSink(options);
  }

  /** Counts a failure of ours and tells it. */
  failed(error: unknown): void {
    this.counts.failures += 1;
    try {
      this.#options.onError?.(error);
    } catch {
      // The listener's own matter.
    }
  }

  async fetch(
    inner: typeof fetch,
    input: string | URL | Request,
    init: RequestInit | undefined,
  ): Promise<Response> {
    const sent = this.#guarded(() => sentOf(input, init));
    const route = sent === null ? null : this.#guarded(() => routeOf(sent.method, sent.url.pathname));
    if (sent === null || route === null) return inner(input, init);
    if (route.what === 'other_post') this.counts.other_posts += 1;
    if (route.what === 'task' && this.#tasks.follows(route.id))
      return this.#followed(await inner(input, init), route.id);
    const going = route.what === 'paid' ? this.#guarded(() => this.#begin(sent, route)) : null;
    if (going === null) return inner(input, init);
    let response: Response;
    try {
      response = await inner(input, init);
    } catch (error) {
      this.#end(going, () => failureKind(error, going.signal));
      throw error;
    }
    return this.#tap(response, going);
  }

  #begin(sent: Sent, route: Extract<PaidRoute, { what: 'paid' }>): Going {
    const { run, instance, keyFp } = this.#options;
    const key = keyOf(sent.headers);
    const url = sent.url.href;
    this.#started += 1;
    this.counts.calls += 1;
    const fresh = `${instance}/${this.#started}`;
    const now = performance.now();
    const place = this.#attempts.placeOf(url, sent.headers, sent.body, fresh, now);
    const start: RecordedStart = {
      run,
      instance,
      ...place,
      call_id: `${place.logical_id}/${place.attempt}`,
      kind: route.kind,
      path: sent.url.pathname,
      request: requestFacts(route.kind, sent.body),
      key_fp: keyFp ?? (key === null ? null : fingerprintOfKey(key)),
      prefixes: () => this.#guarded(() => requestPrefixes(route.kind, key, sent.body)),
      mask: this.#maskOf(key ?? ''),
      wall_ms: Date.now(),
      mono_ms: performance.now(),
    };
    const sink = { write: (line: object) => this.#write(line, 'rows') };
    const recorder = new CallRecorder(start, sink, this.#tasks);
    this.#write(intentOf(start), 'intents');
    return { start, recorder, url, body: sent.body, signal: sent.signal };
  }

  #maskOf(key: string): SecretMask {
    if (this.#known.key !== key) this.#known = { key, mask: new SecretMask([key], MASK) };
    return this.#known.mask;
  }

  #write(line: object, what: 'intents' | 'rows'): void {
    this.#guarded(() => {
      this.#sink.write(line);
      this.counts[what] += 1;
    });
  }

  #tap(response: Response, going: Going): Response {
    const { recorder } = going;
    const isHeard = this.#guarded(() => {
      recorder.answered(response, performance.now());
      if (!response.ok) this.#attemptFailed(going);
      return true;
    });
    if (isHeard === null) return response;
    const copy = this.#guarded(() =>
      tapped(response, {
        piece: (chunk) => this.#guarded(() => recorder.piece(chunk, performance.now())),
        end: (how) => {
          const error = how === 'cancelled' ? new DOMException('given up', 'AbortError') : how?.error;
          this.#end(going, () => (how === null ? null : failureKind(error, going.signal)));
        },
      }),
    );
    return copy ?? response;
  }

  #end(going: Going, failureOf: () => FailureKind | null): void {
    const now = performance.now();
    this.#guarded(() => {
      const failure = failureOf();
      if (failure !== null) this.#attemptFailed(going);
      going.recorder.end(failure, now);
    });
  }

  /** Once an attempt: one that is refused may break as well. */
  #attemptFailed(going: Going): void {
    if (this.#failedAttempts.has(going)) return;
    this.#failedAttempts.add(going);
    this.#attempts.failed(going.url, going.body, going.start, performance.now());
  }

  /** A read of a task's status, of which the answer is heard as well. */
  #followed(response: Response, id: string): Response {
    const reader = new PlainReader('video');
    const copy = this.#guarded(() =>
      tapped(response, {
        piece: (chunk) => this.#guarded(() => reader.feed(chunk, performance.now())),
        end: () =>
          this.#guarded(() =>
            this.#tasks.see(id, reader.facts().document, response.status, performance.now()),
          ),
      }),
    );
    return copy ?? response;
  }

  /** Null where it threw, which no call may feel. */
  #guarded<Value>(act: () => Value): Value | null {
    try {
      return act();
    } catch (error) {
      this.failed(error);
      return null;
    }
  }
}

function sentOf(input: string | URL | Request, init: RequestInit | undefined): Sent {
  const request = input instanceof Request ? input : null;
  return {
    url: new URL(request === null ? String(input) : request.url),
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    headers: init?.headers instanceof Headers ? init.headers : new Headers(init?.headers ?? request?.headers),
    body: init?.body ?? null,
    signal: init?.signal ?? request?.signal ?? null,
  };
}
