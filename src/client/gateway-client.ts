import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import type { Dialect, DialectSetting } from '../contracts/dialect.ts';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { AccountRecord, ModelList } from '../contracts/interface.ts';
import { SecretMask } from '../secrets/secret-mask.ts';
import { CREDENTIAL_MASK, checkCredential } from './credential.ts';
import type {
  BillReader,
  Credential,
  DialectPaths,
  FreeReads,
  GatewayBases,
  UsagePageQuery,
  UsageQuery,
} from './dialects/bill-reader.ts';
import { interfaceReader } from './dialects/interface.ts';
import { litellmReader } from './dialects/litellm.ts';
import { newApiReader } from './dialects/new-api.ts';
import { plainReader } from './dialects/plain.ts';
import { recognise } from './dialects/recognise.ts';
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
import { modelListSchema, type UsagePageFrame } from './wire-schemas.ts';

export interface GatewayClientOptions {
  readonly bases: GatewayBases;
  readonly apiKey?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly userId?: string | undefined;
  /** Of every read, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What else the target may repeat and must not stand in what is kept. */
  readonly secrets?: readonly string[] | undefined;
  /** How it serves usage and prices. Default: `interface`; `auto` looks where the interface's read is not there. */
  readonly dialect?: DialectSetting | undefined;
  /** Is told what `auto` found. */
  readonly recognised?: ((dialect: Dialect) => void) | undefined;
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

const READERS: Readonly<Record<Dialect, () => BillReader>> = {
  interface: () => interfaceReader,
  'new-api': newApiReader,
  litellm: litellmReader,
  plain: () => plainReader,
};

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The free reads of a gateway. What the target answers is data; only our own misuse throws. */
export class GatewayClient {
  readonly #options: GatewayClientOptions;
  readonly #dispatcher: Dispatcher;
  readonly #mask: SecretMask;
  readonly #reads: FreeReads;
  #reader: BillReader;
  /** Null where the dialect is settled; else the look at the target, once it was begun. */
  #open: { look: Promise<boolean> | null } | null;

  constructor(options: GatewayClientOptions) {
    this.#options = options;
    const credentials = [
      ['API key', options.apiKey] as const,
      ['system access token', options.accessToken] as const,
    ].flatMap(([name, value]) => (value === undefined ? [] : [checkCredential(name, value)]));
    this.#mask = new SecretMask([...credentials, ...(options.secrets ?? [])], CREDENTIAL_MASK);
    if (options.userId !== undefined) checkCredential('user id', options.userId);
    const { bases, environment, connection, dialect = 'interface', accessToken, userId, apiKey } = options;
    this.#dispatcher = openDispatcher(bases.root, environment ?? process.env, connection);
    this.#open = dialect === 'auto' ? { look: null } : null;
    this.#reader = READERS[dialect === 'auto' ? 'interface' : dialect]();
    this.#reads = {
      bases,
      hasAccount: accessToken !== undefined && userId !== undefined,
      keyHash: apiKey === undefined ? null : createHash('sha256').update(apiKey).digest('hex'),
      json: (url, credential, schema) => this.#json(url, credential, schema),
      text: (url, credential) => this.#read(url, credential, readText),
      look: (url, header) => this.#look(url, header),
    };
  }

  /** Looks now, where no read has shown it yet. */
  async settleDialect(): Promise<Dialect> {
    if (this.#open !== null) {
      this.#open.look ??= this.#recognise();
      await this.#open.look;
    }
    return this.dialect;
  }

  /** How the target serves its bill, as far as reads have shown. */
  get dialect(): Dialect {
    return this.#reader.name;
  }

  /** Where it serves what, for messages. */
  get paths(): DialectPaths {
    return this.#reader.paths;
  }

  /** Whether its totals tell sums or only how many records there are. */
  get totals(): BillReader['totals'] {
    return this.#reader.totals;
  }

  /** GET /v1/models: with the key what it may call, without it the public catalogue. */
  models(withKey: boolean): Promise<ReadResult<ModelList>> {
    return this.#json(`${this.#options.bases.v1}/models`, withKey ? 'key' : 'none', modelListSchema);
  }

  /** The price list: `bytes` is what the target served, unread. */
  priceBook(): Promise<ReadResult<string>> {
    return this.#bill('book', (reader) => reader.priceBook(this.#reads));
  }

  /** What was used in a window, in sums or as a count. */
  usageTotals(query: UsageQuery): Promise<ReadResult<Readonly<Record<string, unknown>>>> {
    return this.#bill('records', (reader) => reader.usageTotals(this.#reads, query));
  }

  /** One page of usage records. */
  usageRequests(query: UsagePageQuery): Promise<ReadResult<UsagePageFrame>> {
    return this.#bill('records', (reader) => reader.usageRequests(this.#reads, query));
  }

  /** The account, not one key. */
  account(): Promise<ReadResult<AccountRecord>> {
    return this.#bill('account', (reader) => reader.account(this.#reads));
  }

  /** Waits for open reads, then closes the connections. */
  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  /** Reads as the interface says; where nothing is there, as the dialect says that the target shows a mark of. */
  async #bill<T>(
    what: keyof DialectPaths,
    read: (reader: BillReader) => Promise<ReadResult<T>>,
  ): Promise<ReadResult<T>> {
    const open = this.#open;
    let result = await read(this.#reader);
    if (open !== null && isMissing(result)) {
      open.look ??= this.#recognise();
      if (await open.look) result = await read(this.#reader);
    }
    if (result.ok || this.#reader.name === 'interface') return result;
    return { ...result, read: this.#reader.paths[what] };
  }

  /** True where the target has a dialect other than the interface's. A plain server refuses its reads by itself. */
  async #recognise(): Promise<boolean> {
    const seen = await recognise(this.#reads);
    // No answer tells nothing: the next read looks again.
    this.#open = seen === null ? { look: null } : null;
    if (seen === null || seen === 'interface' || seen === 'plain') return false;
    this.#reader = READERS[seen]();
    this.#options.recognised?.(seen);
    return true;
  }

  async #look(url: string, name: string): ReturnType<FreeReads['look']> {
    let seen: { readonly status: number; readonly header: string | null } | null = null;
    const hasKey = this.#options.apiKey !== undefined;
    const result = await this.#read(url, hasKey ? 'key' : 'none', (answer) => {
      seen = { status: answer.status, header: answer.header(name) };
      return readText(answer);
    });
    return seen ?? { status: result.status, header: null };
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

/** No such document: nothing is there, or a page for people in its place. */
function isMissing(result: ReadResult<unknown>): boolean {
  if (!result.ok) return result.status === 404 || result.errorType === 'schema_mismatch';
  return typeof result.body === 'string' && /^\s*</.test(result.body.slice(0, 1_000));
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
    message: `This read needs ${what}, and none is set.`,
    hint: `Set ${variable} or ${variable}_FILE.`,
    exitCode: EXIT.usage,
  });
}
