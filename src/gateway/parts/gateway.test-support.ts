import * as z from 'zod';
import type { UsageRecord } from '../../contracts/interface.ts';
import { type GatewayOptions, type RunningGateway, startGateway } from '../start-gateway.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body read as JSON, or null. */
  readonly json: unknown;
}

export interface TestGateway {
  readonly running: RunningGateway;
  /** A call with the gateway's key; `headers` replace the usual ones by name, `null` leaves one out. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | null>,
  ): Promise<Answer>;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A key of an account of its own. */
  newKey(wanted?: {
    balance_usd?: string;
    key?: object;
  }): Promise<{ userId: number; apiKey: string; accessToken: string }>;
  /** The records of the gateway's first key, newest first. */
  records(): Promise<UsageRecord[]>;
}

const madeAccount = z.object({ user_id: z.number(), access_token: z.string() });
const madeKey = z.object({ api_key: z.string() });
const page = z.object({ data: z.array(z.custom<UsageRecord>((value) => typeof value === 'object')) });

/** A fast gateway on a free port with what tests need around it. */
export async function startTestGateway(options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const running = await startGateway({ port: 0, seed: 11, latency: 'fast', ...options });
  const { base_url, api_key, control_url, control_token } = running.ready;

  const call: TestGateway['call'] = (method, path, body, headers = {}) =>
    send(base_url + path, method, body, { authorization: `Bearer ${api_key}`, ...headers });
  const control: TestGateway['control'] = (method, path, body) =>
    send(control_url + path, method, body, { authorization: `Bearer ${control_token}` });

  return {
    running,
    call,
    control,
    async newKey({ balance_usd = '1', key = {} } = {}) {
      const account = madeAccount.parse((await control('POST', '/accounts', { balance_usd })).json);
      const made = madeKey.parse((await control('POST', '/keys', { user_id: account.user_id, ...key })).json);
      return { userId: account.user_id, apiKey: made.api_key, accessToken: account.access_token };
    },
    async records() {
      return page.parse((await call('GET', '/v1/usage/requests?limit=200')).json).data;
    },
  };
}

async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string | null>>,
): Promise<Answer> {
  const form = body instanceof FormData || typeof body === 'string';
  const typed = body === undefined || form ? headers : { 'content-type': 'application/json', ...headers };
  const kept = Object.entries(typed).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const response = await fetch(url, {
    method,
    headers: Object.fromEntries(kept),
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A smallest chat request. */
export function chatBody(over: object = {}): object {
  return { model: 'aspen-mini', messages: [{ role: 'user', content: 'hello there' }], ...over };
}
