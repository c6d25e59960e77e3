import type { Dispatcher } from 'undici';
import { BROKEN_BY_US, type Broken, brokenByAlarm, brokenByError } from './broken-call.ts';
import { CallAlarms, type ExchangeTimeouts } from './call-alarms.ts';
import type { CallClock } from './call-clock.ts';
import type { ConnectionMarks } from './call-connection.ts';
import { FREE_TURNS } from './paid-request.ts';

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Events are asked for: the first content has a limit of its own. */
  readonly stream: boolean;
  readonly timeouts: ExchangeTimeouts;
}

/** The status line and headers of an answer, names in lower case. */
export interface AnswerHead {
  readonly status: number;
  header(name: string): string | null;
  /** The first value of each. */
  readonly headers: readonly (readonly [string, string])[];
}

/** Takes the body of one answer, piece by piece, each with the moment at which it came. */
export interface BodyReader {
  /** `waiting`: for the first content of a stream. `ended`: what follows is not waited for long. */
  readonly state: 'waiting' | 'flowing' | 'ended';
  /** False when no more is wanted: the connection is given up. */
  take(chunk: Uint8Array, at: number): boolean;
}

/** One request and all that was seen of its answer, moments on the monotonic clock. */
export interface Exchanged {
  readonly startedWallMs: number;
  readonly startedAt: number;
  readonly marks: ConnectionMarks;
  /** A connection was had. */
  readonly connected: boolean;
  readonly wroteAt: number | null;
  readonly head: AnswerHead | null;
  readonly headersAt: number | null;
  readonly endAt: number;
  readonly bytesIn: number;
  /** Pieces that came up to the end of the content. */
  readonly chunks: number;
  readonly broken: Broken | null;
}

/** What an exchange needs of its connection. */
export interface ExchangeConnection {
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly marks: ConnectionMarks;
  destroy(): void;
}

/** So long a finished stream may take to close. */
const DRAIN_MS = 250;

/** Sends a request once and reads its answer to the end; what the target does never makes it reject. */
export function exchange(
  request: ExchangeRequest,
  readerOf: (head: AnswerHead) => BodyReader,
  open: () => ExchangeConnection,
  clock: CallClock,
  signal: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const under = new Exchange(request, readerOf, clock, signal, resolve);
    under.send(open());
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #readerOf: (head: AnswerHead) => BodyReader;
  readonly #clock: CallClock;
  readonly #signal: AbortSignal;
  readonly #resolve: (exchanged: Exchanged) => void;
  readonly #alarms: CallAlarms;
  readonly #onAbort = (): void => {
    this.#readOn();
    this.#end(BROKEN_BY_US);
  };
  readonly #startedWallMs: number;
  readonly #startedAt: number;
  #connection: ExchangeConnection | null = null;
  #connected = false;
  #wroteAt: number | null = null;
  #head: AnswerHead | null = null;
  #headersAt: number | null = null;
  #endAt: number | null = null;
  #reader: BodyReader | null = null;
  #unread: { readonly chunk: Uint8Array; readonly at: number }[] = [];
  #cancelReading: (() => void) | null = null;
  #bytesIn = 0;
  #chunks = 0;
  #isOver = false;

  constructor(
    request: ExchangeRequest,
    readerOf: (head: AnswerHead) => BodyReader,
    clock: CallClock,
    signal: AbortSignal,
    resolve: (exchanged: Exchanged) => void,
  ) {
    this.#request = request;
    this.#readerOf = readerOf;
    this.#clock = clock;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#alarms = new CallAlarms(
      clock,
      () => this.#readOn(),
      (name) => this.#end(name === 'drained' ? null : brokenByAlarm(name)),
    );
    this.#startedWallMs = clock.wallMs();
    this.#startedAt = clock.monoMs();
  }

  send(connection: ExchangeConnection): void {
    const { url, method, headers, body, stream, timeouts } = this.#request;
    this.#connection = connection;
    this.#signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#alarms.start('timeout_connect', timeouts.connect_ms);
    this.#alarms.start('timeout_total', timeouts.total_ms);
    if (stream) this.#alarms.start('timeout_first_token', timeouts.first_token_ms);
    const path = `${url.pathname}${url.search}`;
    connection.dispatcher.dispatch({ origin: url.origin, path, method, headers: { ...headers }, body }, this);
  }

  /** undici calls it when the connection stands, before the request is written. */
  onRequestStart(): void {
    this.#connected = true;
    this.#alarms.disarm('timeout_connect');
    this.#alarms.start('timeout_headers', this.#request.timeouts.headers_ms);
  }

  onRequestSent(): void {
    this.#wroteAt ??= this.#clock.monoMs();
  }

  onResponseStart(
    _: unknown,
    status: number,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): void {
    if (this.#isOver || status < 200) return;
    this.#headersAt = this.#clock.monoMs();
    const first = (value: string | readonly string[] | undefined) =>
      (typeof value === 'string' ? value : value?.[0]) ?? null;
    this.#head = {
      status,
      header: (name) => first(headers[name]),
      headers: Object.entries(headers).map(([name, value]) => [name, first(value) ?? '']),
    };
    this.#alarms.disarm('timeout_headers');
    this.#reader = this.#readerOf(this.#head);
    this.#watch(this.#headersAt);
  }

  /** Its moment is all that is taken here: what other calls have received waits for its own. */
  onResponseData(_: unknown, chunk: Uint8Array): void {
    if (this.#isOver || this.#reader === null) return;
    this.#unread.push({ chunk, at: this.#clock.monoMs() });
    this.#cancelReading ??= FREE_TURNS.later(() => this.#readOn());
  }

  onResponseEnd(): void {
    const at = this.#clock.monoMs();
    this.#readOn();
    this.#endAt ??= at;
    this.#end(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#readOn();
    this.#end(brokenByError(error, this.#head !== null));
  }

  #readOn(): void {
    this.#cancelReading?.();
    this.#cancelReading = null;
    try {
      for (const { chunk, at } of this.#unread.splice(0)) this.#take(chunk, at);
    } catch (error) {
      this.#end(brokenByError(error, true));
    }
  }

  #take(chunk: Uint8Array, at: number): void {
    if (this.#isOver || this.#reader === null) return;
    this.#bytesIn += chunk.length;
    if (this.#endAt === null) this.#chunks += 1;
    const wanted = this.#reader.take(chunk, at);
    if (!wanted) this.#endAt ??= at;
    if (wanted) this.#watch(at);
    else this.#end(null);
  }

  /** Before the first content of a stream its own limit runs, after it that of a silence. */
  #watch(at: number): void {
    switch (this.#reader?.state) {
      case 'ended':
        if (this.#endAt !== null) return;
        this.#endAt = at;
        this.#alarms.disarmAll();
        this.#alarms.start('drained', DRAIN_MS);
        return;
      case 'flowing':
        this.#alarms.disarm('timeout_first_token');
        this.#alarms.start('timeout_idle', this.#request.timeouts.idle_ms);
        return;
      default:
    }
  }

  #end(broken: Broken | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelReading?.();
    this.#alarms.stop();
    this.#signal.removeEventListener('abort', this.#onAbort);
    const marks = this.#connection?.marks;
    this.#connection?.destroy();
    if (marks === undefined) throw new Error('an exchange ended before it began');
    const exchanged: Exchanged = {
      startedWallMs: this.#startedWallMs,
      startedAt: this.#startedAt,
      marks,
      connected: this.#connected,
      wroteAt: this.#wroteAt,
      head: this.#head,
      headersAt: this.#headersAt,
      endAt: this.#endAt ?? this.#clock.monoMs(),
      bytesIn: this.#bytesIn,
      chunks: this.#chunks,
      broken,
    };
    // To judge an answer takes longer than to read a piece of one.
    FREE_TURNS.later(() => this.#resolve(exchanged));
  }
}
