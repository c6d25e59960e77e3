import { type Dispatcher, request } from 'undici';
import type { ErrorType } from '../contracts/outcome.ts';
import { SecretMask } from '../secrets/secret-mask.ts';
import { readRefusal } from '../wire/refusal.ts';
import { REQUEST_ID_HEADERS } from '../wire/request-ids.ts';
import { retryAfterSeconds } from '../wire/retry-after.ts';
import { CREDENTIAL_MASK } from './credential.ts';
import { networkErrorType, networkErrorWords } from './network-error.ts';

/** A request that its target must refuse. */
export interface RefusableRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST; null makes it a GET. */
  readonly body: string | null;
  readonly dispatcher: Dispatcher;
  /** To the last byte that is read. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Never in what is told. */
  readonly credentials: readonly string[];
}

/** What came of it. Nothing of an accepted answer is read: its size is the target's to choose. */
export interface RefusableAnswer {
  /** Null where none came. */
  readonly status: number | null;
  readonly code: string;
  readonly message: string;
  /** The error object of model calls is there. */
  readonly shaped: boolean;
  /** `{success: false, message}` of account calls. */
  readonly account_shaped: boolean;
  readonly request_id: string | null;
  readonly retry_after_s: number | null;
  /** `none` where an answer came. */
  readonly network: ErrorType;
}

const MOST_READ = 64 * 1024;
const MOST_TOLD = 300;

/** Sends it once, and follows nothing. */
export async function sendRefusable(asked: RefusableRequest): Promise<RefusableAnswer> {
  const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(asked.timeoutMs)]);
  const mask = new SecretMask(asked.credentials, CREDENTIAL_MASK);
  const sentence = (text: string) => mask.prose(text).slice(0, MOST_TOLD);
  const name = (text: string) => mask.name(text).slice(0, MOST_TOLD);
  try {
    const answer = await request(asked.url, {
      method: asked.body === null ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(asked.body === null ? {} : { 'content-type': 'application/json' }),
        ...asked.headers,
      },
      body: asked.body,
      dispatcher: asked.dispatcher,
      signal,
    });
    const status = answer.statusCode;
    const text = status < 300 ? '' : await beginning(answer.body);
    answer.body.on('error', () => undefined).destroy();
    const { code, message, shaped, request_ids } = readRefusal(text);
    const header = (name: string): string | null => {
      const value = answer.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    const [requestId = null] = [...REQUEST_ID_HEADERS.flatMap((name) => header(name) ?? []), ...request_ids];
    return {
      status,
      code: name(code),
      message: sentence(message),
      shaped,
      account_shaped: /"success"\s*:\s*false/.test(text) && /"message"\s*:\s*"/.test(text),
      request_id: requestId === null ? null : name(requestId),
      retry_after_s: retryAfterSeconds(header('retry-after'), header('date'), Date.now()),
      network: 'none',
    };
  } catch (error) {
    return {
      status: null,
      code: '',
      message: sentence(networkErrorWords(error)),
      shaped: false,
      account_shaped: false,
      request_id: null,
      retry_after_s: null,
      network: networkErrorType(error),
    };
  }
}

async function beginning(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_READ) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
