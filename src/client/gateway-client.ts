import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { AccountRecord, ModelList } from '../contracts/interface.ts';
import type { UsageWindow } from '../contracts/usage-lines.ts';
import { SecretMask } from '../secrets/secret-mask.ts';
import { CREDENTIAL_MASK, checkCredential } from './credential.ts';
import { BodyTooLarge, type HttpAnswer, httpGet } from './http-get.ts';
import { networkErrorType, networkErrorWords } from './network-error.ts';
import { type ConnectionOptions, openDispatcher } from './open-dispatcher.ts';
import type { Environment } from './proxy-of.ts';
import {
  DEFAULT_RETRY,
  type ReadRetryPolicy,
  type RetryWait,
  readJson,
  readText,
  readWithRetry,
  timerWait,
} from './read-answer.ts';
import type { ReadFailure, ReadResult } from './read-result.ts';
import {
  accountAnswerSchema,
  modelListSchema,
  type UsagePageFrame,
  usagePageSchema,
  usageTotalsSchema,
} from './wire-schemas.ts';

/** interface §1: the three bases, without a slash at the end. */
export interface GatewayBases {
  readonly root: string;
  readonly v1: string;
  readonly api: string;
}

export interface GatewayClientOptions {
  readonly bases: GatewayBases;
  readonly apiKey?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly userId?: string | undefined;
  /** Of every read, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What else the target may repeat and must not stand in what is kept. */
  readonly secrets?: readonly string[] | undefined;
  /** Of one attempt, to its last byte. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Reads that carry the API key go without where there is none. Default: false, which refuses them. */
  readonly keyless?: boolean | undefined;
  /** Names proxies and files of certificates; default `process.env`. */
  readonly environment?: Environment | undefined;
  /** How connections are made. Default: as a plan without HTTP options makes them. */
  readonly connection?: ConnectionOptions | undefined;
  readonly retry?: ReadRetryPolicy | undefined;
  /** Largest body accepted, bytes. */
  readonly maxBytes?: number | undefined;
  /** Ends reads and waits; what was under way returns as a failure. */
  readonly signal?: AbortSignal | undefined;
  readonly wait?: RetryWait | undefined;
}

/** interface §4: the window is always explicit, because the default end (now) moves between pages. */
export interface UsageQuery {
  readonly window: UsageWindow;
  readonly model?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface UsagePageQuery extends UsageQuery {
  /** Null asks for the target's own page size. */
  readonly limit: number | null;
  readonly before: string | null;
}

type Credential = 'none' | 'key' | 'account';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The free reads of a gateway. What the target answers is data; only our own misuse throws. */
export class GatewayClient {
  readonly #options: GatewayClientOptions;
  readonly #dispatcher: Dispatcher;
  readonly #mask: SecretMask;

  constructor(options: GatewayClientOptions) {
    this.#options = options;
    const credentials = [
      ['API key', options.apiKey] as const,
      ['system access token', options.accessToken] as const,
    ].flatMap(([name, value]) => (value === undefined ? [] : [checkCredential(name, value)]));
    this.#mask = new SecretMask([...credentials, ...(options.secrets ?? [])], CREDENTIAL_MASK);
    if (options.userId !== undefined) checkCredential('user id', options.userId);
    const { bases, environment, connection } = options;
    this.#dispatcher = openDispatcher(bases.root, environment ?? process.env, connection);
  }

  /** GET /v1/models: with the key what it may call, without it the public catalogue. */
  models(withKey: boolean): Promise<ReadResult<ModelList>> {
    return this.#json(`${this.#options.bases.v1}/models`, withKey ? 'key' : 'none', modelListSchema);
  }

  /** GET /pricing.usd.json: `bytes` is what the target served, unread. */
  async priceBook(): Promise<ReadResult<string>> {
    const url = `${this.#options.bases.root}/pricing.usd.json`;
    const open = await this.#read(url, 'none', readText);
    return open.status === 401 || open.status === 403 ? this.#read(url, 'key', readText) : open;
  }

  /** GET /v1/usage. */
  usageTotals(query: UsageQuery): Promise<ReadResult<Readonly<Record<string, unknown>>>> {
    return this.#json(`${this.#options.bases.v1}/usage?${usageParameters(query)}`, 'key', usageTotalsSchema);
  }

  /** GET /v1/usage/requests: one page. */
  usageRequests(query: UsagePageQuery): Promise<ReadResult<UsagePageFrame>> {
    const parameters = usageParameters(query);
    if (query.limit !== null) parameters.set('limit', String(query.limit));
    if (query.before !== null) parameters.set('before', query.before);
    return this.#json(`${this.#options.bases.v1}/usage/requests?${parameters}`, 'key', usagePageSchema);
  }

  /** GET /api/user/self: the account, not one key. */
  account(): Promise<ReadResult<AccountRecord>> {
    const schema: z.ZodType<AccountRecord> = accountAnswerSchema.transform((answer) => answer.data);
    return this.#json(`${this.#options.bases.api}/user/self`, 'account', schema);
  }

  /** Waits for open reads, then closes the connections. */
  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  #json<T>(url: string, credential: Credential, schema: z.ZodType<T>): Promise<ReadResult<T>> {
    return this.#read(url, credential, (answer) => readJson(answer, schema));
  }

  async #read<T>(
    url: string,
    credential: Credential,
    reader: (answer: HttpAnswer) => ReadResult<T>,
  ): Promise<ReadResult<T>> {
    const { retry, wait, signal } = this.#options;
    const headers = this.#headers(credential);
    const once = () => this.#once(url, headers, reader);
    return readWithRetry(once, retry ?? DEFAULT_RETRY, wait ?? timerWait, signal ?? null);
  }

  async #once<T>(
    url: string,
    headers: Readonly<Record<string, string>>,
    reader: (answer: HttpAnswer) => ReadResult<T>,
  ): Promise<ReadResult<T>> {
    const { timeoutMs, maxBytes, signal } = this.#options;
    try {
      const answer = await httpGet({
        url,
        headers,
        dispatcher: this.#dispatcher,
        timeoutMs,
        maxBytes: maxBytes ?? MAX_BODY_BYTES,
        signal: signal ?? null,
      });
      const clean = withoutEcho(answer, this.#mask);
      const result = reader(clean);
      if (!result.ok) return this.#safe(result);
      return clean.bytes === answer.bytes ? result : { ...result, masked: true };
    } catch (error) {
      return this.#safe(noAnswer(error));
    }
  }

  #safe(failure: ReadFailure): ReadFailure {
    return { ...failure, message: this.#mask.prose(failure.message) };
  }

  #headers(credential: Credential): Readonly<Record<string, string>> {
    const { apiKey, accessToken, userId, userAgent, headers, keyless } = this.#options;
    const agent = { 'user-agent': userAgent, ...headers };
    if (credential === 'none') return agent;
    if (credential === 'key') {
      if (Object.hasOwn(agent, 'authorization')) return agent;
      if (apiKey === undefined && keyless === true) return agent;
      if (apiKey === undefined) throw missing('an API key', 'WEIGHBRIDGE_API_KEY');
      return { ...agent, authorization: `Bearer ${apiKey}` };
    }
    if (accessToken === undefined) throw missing('a system access token', 'WEIGHBRIDGE_ACCESS_TOKEN');
    if (userId === undefined) throw missing('the user id that owns the token', 'WEIGHBRIDGE_USER_ID');
    return { ...agent, authorization: `Bearer ${accessToken}`, 'new-api-user': userId };
  }
}

/** A target that repeats our key must not bring it into our files. Only then what is kept differs from what was served. */
function withoutEcho(answer: HttpAnswer, mask: SecretMask): HttpAnswer {
  const served = Buffer.from(answer.bytes).toString('utf8');
  const clean = mask.name(served);
  return {
    status: answer.status,
    header(name) {
      const value = answer.header(name);
      return value === null ? null : mask.name(value);
    },
    bytes: clean === served ? answer.bytes : Buffer.from(clean),
  };
}

function usageParameters(query: UsageQuery): URLSearchParams {
  const parameters = new URLSearchParams({
    start_time: String(query.window.start),
    end_time: String(query.window.end),
  });
  if (query.model !== undefined) parameters.set('model', query.model);
  if (query.requestId !== undefined) parameters.set('request_id', query.requestId);
  return parameters;
}

function noAnswer(error: unknown): ReadFailure {
  const oversize = error instanceof BodyTooLarge;
  return {
    ok: false,
    status: null,
    code: null,
    message: networkErrorWords(error),
    retryAfterS: null,
    errorType: oversize ? 'stream_oversize' : networkErrorType(error),
    requestId: null,
  };
}

function missing(what: string, variable: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'credential_missing',
    message: `expected ${what} for this read, found none`,
    hint: `Set ${variable} or ${variable}_FILE.`,
    exitCode: EXIT.usage,
  });
}
