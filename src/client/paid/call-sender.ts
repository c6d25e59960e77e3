import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { isTextKind } from '../../core/call-kind.ts';
import { promptPrefixes } from '../../wire/prompt-prefixes.ts';
import { checkCredential } from '../credential.ts';
import { type ConnectionOptions, DEFAULT_CONNECTION } from '../open-dispatcher.ts';
import type { Environment } from '../proxy-of.ts';
import { trustedRoots } from '../trusted-roots.ts';
import type { ExchangeTimeouts } from './call-alarms.ts';
import { type CallClock, SYSTEM_CALL_CLOCK } from './call-clock.ts';
import { CallConnection } from './call-connection.ts';
import { type CallStart, callRow } from './call-row.ts';
import { type BodyReader, type Exchanged, exchange } from './exchange.ts';
import { type ExpectedAnswer, judgeAnswer, readerFor } from './judge-answer.ts';
import { type AnswerJudgement, judged } from './judgement.ts';
import { KeyScrubber } from './key-scrubber.ts';

export interface CallSenderOptions {
  /** Asked for each call: credentials may change while a process runs. */
  readonly key: () => string | null;
  /** What else a target may repeat and must not stand in what is kept. */
  readonly secrets?: (() => readonly string[]) | undefined;
  /** Of every request to the target, by their names in lower case; what a call needs itself goes over them. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Names proxies and files of certificates; default `process.env`. */
  readonly environment?: Environment | undefined;
  /** Default: as a plan without HTTP options has it. */
  readonly connection?: ConnectionOptions | undefined;
  readonly userAgent: string;
  readonly clock?: CallClock | undefined;
}

export interface SentCall {
  readonly start: Omit<CallStart, 'key_fp' | 'prefixes' | 'bytes_out'>;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly auth: 'bearer' | 'x-api-key' | 'none';
  readonly timeouts: ExchangeTimeouts;
  readonly expected: ExpectedAnswer;
}

export interface Answered {
  readonly row: CallRow;
  readonly seen: Exchanged;
  readonly told: AnswerJudgement;
  /** Told by texts that must not leave as they are. */
  readonly scrub: KeyScrubber;
}

/** Sends one call once, and makes its row. */
export class CallSender {
  readonly clock: CallClock;
  readonly #options: CallSenderOptions;
  readonly #environment: Environment;
  readonly #connection: ConnectionOptions;
  #roots: SecureContext | null = null;

  constructor(options: CallSenderOptions) {
    this.#options = options;
    this.clock = options.clock ?? SYSTEM_CALL_CLOCK;
    this.#environment = options.environment ?? process.env;
    this.#connection = options.connection ?? DEFAULT_CONNECTION;
  }

  /** First 16 hex digits of the SHA-256 of the key at this moment, as everywhere in a ledger. */
  fingerprint(): string | null {
    return fingerprintOf(this.#key());
  }

  async send(call: SentCall, signal: AbortSignal): Promise<Answered> {
    const key = this.#key();
    const scrub = new KeyScrubber([...(key === null ? [] : [key]), ...(this.#options.secrets?.() ?? [])]);
    const bytes_out = call.body?.length ?? 0;
    const start: CallStart = {
      ...call.start,
      key_fp: call.auth === 'none' ? null : fingerprintOf(key),
      prefixes: prefixesOf(call, key),
      bytes_out,
    };
    if (signal.aborted) {
      const seen = this.#unsent();
      const told = judged('not_sent', 'none', { message: 'the run ended before the call was sent' });
      return { row: callRow(start, seen, told, scrub), seen, told, scrub };
    }
    let reader: BodyReader | null = null;
    const { expected } = call;
    const seen = await exchange(
      {
        method: start.method,
        url: call.url,
        headers: { ...this.#headers(call, key), ...call.headers },
        body: call.body,
        stream: start.stream,
        timeouts: call.timeouts,
      },
      (head) => {
        reader = readerFor(expected, head);
        return reader;
      },
      () => this.#connect(call.url),
      this.clock,
      signal,
    );
    const told = judgeAnswer(expected, seen, reader);
    return { row: callRow(start, seen, told, scrub), seen, told, scrub };
  }

  #key(): string | null {
    const key = this.#options.key();
    return key === null ? null : checkCredential('API key', key);
  }

  #connect(url: URL): CallConnection {
    return new CallConnection(url, {
      connection: this.#connection,
      environment: this.#environment,
      roots: () => {
        this.#roots ??= trustedRoots(this.#environment, this.#connection.tls_min);
        return this.#roots;
      },
      now: () => this.clock.monoMs(),
    });
  }

  #headers({ auth, expected }: SentCall, key: string | null): Readonly<Record<string, string>> {
    const common = {
      'user-agent': this.#options.userAgent,
      accept: acceptOf(expected),
      // No decompression stands between a byte and its moment.
      'accept-encoding': 'identity',
    };
    // Another origin hears neither the key nor the headers of the target.
    if (auth === 'none') return common;
    const own = { ...this.#options.headers?.(), ...common };
    if (key === null) return own;
    return auth === 'x-api-key' ? { ...own, 'x-api-key': key } : { ...own, authorization: `Bearer ${key}` };
  }

  #unsent(): Exchanged {
    const now = this.clock.monoMs();
    return {
      startedWallMs: this.clock.wallMs(),
      startedAt: now,
      marks: { resolvedAt: null, connectedAt: null, securedAt: null, proto: null, tlsNotAfterMs: null },
      connected: false,
      wroteAt: null,
      head: null,
      headersAt: null,
      endAt: now,
      bytesIn: 0,
      chunks: 0,
      broken: null,
    };
  }
}

function acceptOf(expected: ExpectedAnswer): string {
  if (expected.what === 'picture' || expected.what === 'mp4') return '*/*';
  return expected.what === 'text' && expected.stream ? 'text/event-stream' : 'application/json';
}

/** What a cache may hold is the prompt of a text call. */
function prefixesOf({ auth, body, start }: SentCall, key: string | null): CallRow['prefixes'] {
  if (key === null || body === null || auth === 'none' || !isTextKind(start.kind)) return null;
  return promptPrefixes(key, body);
}

function fingerprintOf(key: string | null): string | null {
  return key === null ? null : createHash('sha256').update(key).digest('hex').slice(0, 16);
}
