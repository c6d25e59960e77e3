import { type Dispatcher, request } from 'undici';

/** One answer, read whole within the limits. */
export interface HttpAnswer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly bytes: Uint8Array;
}

export interface GetRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  /** From the call to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | null;
}

/** The answer's body was larger than the limit; the connection is given up. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** One GET. Redirects are returned, not followed: a key must not travel to another host. Rejects on network errors. */
export async function httpGet(get: GetRequest): Promise<HttpAnswer> {
  // undici's own timers fire up to a second late (monitoring of short budgets needs an AbortSignal).
  const timeout = AbortSignal.timeout(get.timeoutMs);
  const signal = get.signal === null ? timeout : AbortSignal.any([timeout, get.signal]);
  const answer = await request(get.url, {
    method: 'GET',
    // identity: `request` does not decompress, and the hash is to be of what the target wrote.
    headers: {
      accept: 'application/json',
      'accept-language': 'en',
      'accept-encoding': 'identity',
      ...get.headers,
    },
    dispatcher: get.dispatcher,
    signal,
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('httpGet: expected bytes from the body');
    size += chunk.length;
    if (size > get.maxBytes) throw new BodyTooLarge(`the body is larger than ${get.maxBytes} bytes`);
    chunks.push(chunk);
  }
  return {
    status: answer.statusCode,
    header: (name) => firstValue(answer.headers[name]),
    bytes: Buffer.concat(chunks),
  };
}

function firstValue(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
