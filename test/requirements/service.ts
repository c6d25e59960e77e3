import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { GatewayReady } from '../../src/gateway/start-gateway.ts';
import { type JsonObject, objectsIn } from './json.ts';
import { Reply } from './reply.ts';

export const CHAT = '/v1/chat/completions';
export const RESPONSES = '/v1/responses';
export const MESSAGES = '/v1/messages';
export const GENERATIONS = '/v1/images/generations';
export const EDITS = '/v1/images/edits';
export const GENERATION_JOBS = '/v1/images/generations/jobs';
export const EDIT_JOBS = '/v1/images/edits/jobs';
export const VIDEOS = '/v1/videos';
export const SELF = '/api/user/self';
export const BOOK = '/pricing.usd.json';
export const USAGE = '/v1/usage';
export const RECORDS = '/v1/usage/requests';
export const VERSION_HEADER = 'anthropic-version';

/** An account of its own with one key. */
export interface Customer {
  readonly userId: number;
  readonly accessToken: string;
  readonly key: string;
}

export interface StreamReply {
  readonly reply: Reply;
  readonly events: readonly EventSourceMessage[];
}

type RequestHeaders = Readonly<Record<string, string>>;
type Body = object | string | FormData;

const TASK_PATIENCE_MS = 20_000;

/** What the cases know of the gateway: its addresses, one key, and the control API for everything they add. */
export class Service {
  readonly ready: GatewayReady;
  /** The same service on a gateway that takes its time, so that a task or stream is surely still running. */
  readonly slow: Service;
  readonly #once = new Map<string, Promise<unknown>>();

  constructor(ready: GatewayReady, slow?: GatewayReady) {
    this.ready = ready;
    this.slow = slow === undefined ? this : new Service(slow);
  }

  /** A call with exactly these headers. */
  async send(method: string, path: string, headers: RequestHeaders = {}, body?: Body): Promise<Reply> {
    const response = await fetch(this.ready.base_url + path, request(method, headers, body));
    return new Reply(response.status, response.headers, await response.arrayBuffer());
  }

  get(path: string, key: string | null = this.ready.api_key): Promise<Reply> {
    return this.send('GET', path, bearer(key));
  }

  post(path: string, body: Body, key: string | null = this.ready.api_key): Promise<Reply> {
    return this.send('POST', path, bearer(key), body);
  }

  chat(over: object = {}, key?: string | null): Promise<Reply> {
    return this.post(CHAT, chatBody(over), key);
  }

  responses(over: object = {}, key?: string | null): Promise<Reply> {
    return this.post(RESPONSES, responsesBody(over), key);
  }

  /** Carries the key in both ways and the version header; `headers` replaces all three. */
  messages(over: object = {}, headers: RequestHeaders = messagesHeaders(this.ready.api_key)): Promise<Reply> {
    return this.send('POST', MESSAGES, headers, messagesBody(over));
  }

  image(over: object = {}, key?: string | null): Promise<Reply> {
    return this.post(GENERATIONS, imageBody(over), key);
  }

  edit(over: object = {}, key?: string | null): Promise<Reply> {
    return this.post(EDITS, editBody(over), key);
  }

  video(over: object = {}, key?: string | null): Promise<Reply> {
    return this.post(VIDEOS, videoBody(over), key);
  }

  self({ accessToken, userId }: Customer): Promise<Reply> {
    return this.send('GET', SELF, { ...bearer(accessToken), 'new-api-user': String(userId) });
  }

  /** Reads a stream to its end. */
  async stream(path: string, body: object): Promise<StreamReply> {
    const { api_key } = this.ready;
    const headers = path === MESSAGES ? messagesHeaders(api_key) : bearer(api_key);
    const reply = await this.send('POST', path, headers, body);
    const events: EventSourceMessage[] = [];
    createParser({ onEvent: (event) => events.push(event) }).feed(reply.text);
    return { reply, events };
  }

  /** Opens a streamed chat and returns once text has come; `leave` hangs up. */
  async openChat(key: string): Promise<{ requestId: string; leave: () => void }> {
    const hangUp = new AbortController();
    const response = await fetch(this.ready.base_url + CHAT, {
      ...request('POST', bearer(key), chatBody({ stream: true, max_tokens: undefined })),
      signal: hangUp.signal,
    });
    const reader = response.body?.getReader();
    let seen = '';
    while (!/"content":"[^"]/.test(seen)) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) break;
      seen += new TextDecoder().decode(value);
    }
    return {
      requestId: response.headers.get('x-oneapi-request-id') ?? '',
      leave: () => hangUp.abort(),
    };
  }

  /** The control API; throws when it refuses. */
  async control(method: string, path: string, body?: object): Promise<Reply> {
    const { control_url, control_token } = this.ready;
    const response = await fetch(control_url + path, request(method, bearer(control_token), body));
    const reply = new Reply(response.status, response.headers, await response.arrayBuffer());
    assert.equal(reply.status, 200, `control ${method} ${path}: ${reply.text}`);
    return reply;
  }

  async customer(account: object = {}, key: object = {}): Promise<Customer> {
    const made = await this.control('POST', '/accounts', { balance_usd: '5', ...account });
    const userId = Number(made.at('user_id'));
    return { userId, accessToken: String(made.at('access_token')), key: await this.keyOf(userId, key) };
  }

  async keyOf(userId: number, key: object = {}): Promise<string> {
    return String((await this.control('POST', '/keys', { user_id: userId, ...key })).at('api_key'));
  }

  /** The records that a key sees, newest first. */
  async records(key: string, query = ''): Promise<JsonObject[]> {
    return objectsIn((await this.get(`${RECORDS}?limit=200${query}`, key)).at('data'));
  }

  /** The record of a call once it is no longer pending. */
  async endedRecord(key: string, requestId: string): Promise<JsonObject> {
    const until = Date.now() + TASK_PATIENCE_MS;
    for (;;) {
      const found = (await this.records(key)).find((record) => String(record['request_id']) === requestId);
      if (found !== undefined && String(found['billing_status']) !== 'pending') return found;
      assert.ok(Date.now() < until, `no ended record of ${requestId}`);
      await wait(20);
    }
  }

  /** Polls a job or task until it has ended; the last answer. */
  async ended(path: string, key?: string): Promise<Reply> {
    const until = Date.now() + TASK_PATIENCE_MS;
    for (;;) {
      const reply = await this.get(path, key);
      if (['completed', 'failed'].includes(String(reply.at('status')))) return reply;
      assert.ok(Date.now() < until, `${path} has not ended: ${reply.text}`);
      await wait(15);
    }
  }

  /** The result of the first call with this name, shared by the cases that only look at it. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
  once(name: string, make: () => Promise<unknown>): Promise<unknown> {
    const held = this.#once.get(name) ?? make();
    this.#once.set(name, held);
    return held;
  }
}

export function bearer(key: string | null): RequestHeaders {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

export function messagesHeaders(key: string): RequestHeaders {
  return { ...bearer(key), 'x-api-key': key, [VERSION_HEADER]: '2023-06-01' };
}

const MESSAGE = { role: 'user', content: 'hello there' };

export function chatBody(over: object = {}): object {
  return { model: 'aspen-mini', messages: [MESSAGE], max_tokens: 4, stream: false, ...over };
}

export function responsesBody(over: object = {}): object {
  return { model: 'aspen-mini', input: 'hello there', max_output_tokens: 4, stream: false, ...over };
}

export function messagesBody(over: object = {}): object {
  return { model: 'cedar-haiku', messages: [MESSAGE], max_tokens: 4, stream: false, ...over };
}

export function imageBody(over: object = {}): object {
  return { model: 'lumen-image-mini', prompt: 'a lighthouse', ...over };
}

export function editBody(over: object = {}): object {
  return imageBody({ image: 'data:image/png;base64,iVBORw0KGgo=', ...over });
}

export function videoBody(over: object = {}): object {
  return { model: 'orbit-2', prompt: 'waves', seconds: 1, ...over };
}

/** An edit as a form; a field of `undefined` is left out. */
export function editForm(over: Readonly<Record<string, string | Blob | undefined>> = {}): FormData {
  const form = new FormData();
  const image = new Blob(['not really a picture'], { type: 'image/png' });
  for (const [name, value] of Object.entries({
    model: 'lumen-image-mini',
    prompt: 'bluer',
    image,
    ...over,
  })) {
    if (value instanceof Blob) form.append(name, value, 'image.png');
    else if (value !== undefined) form.append(name, value);
  }
  return form;
}

function request(method: string, headers: RequestHeaders, body: Body | undefined): RequestInit {
  if (body === undefined) return { method, headers };
  if (body instanceof FormData) return { method, headers, body };
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
