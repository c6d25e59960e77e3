import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

export interface FrontRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly user_agent: string;
  readonly body: string;
}

export interface FrontAnswer {
  readonly status: number;
  readonly body: string;
}

export interface FrontOptions {
  /** What the front answers itself; null passes the request on, `hang_up` ends the connection without an answer. */
  readonly answer?: (request: FrontRequest) => FrontAnswer | 'hang_up' | null;
  /** The body that is passed on. */
  readonly send?: (request: FrontRequest) => string;
  /** Headers of answers that are kept beside the content type. */
  readonly keep?: readonly string[];
  /** What the bodies of answers to calls tell as their id. */
  readonly ids?: 'as they are' | 'one for all';
}

const PASSED_ON = ['authorization', 'content-type', 'x-api-key', 'anthropic-version'];

/** A gateway of somebody else: what stands in front of another one, and answers, changes or leaves out as it likes. */
export async function frontOf(
  base_url: string,
  {
    answer = () => null,
    send = ({ body }) => body,
    keep = ['x-oneapi-request-id'],
    ids = 'as they are',
  }: FrontOptions,
): Promise<{ readonly url: string; readonly seen: readonly FrontRequest[] }> {
  const seen: FrontRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { method = 'GET', url = '/', headers } = incoming;
    const body = Buffer.concat(chunks).toString();
    const request = { method, path: url, user_agent: headers['user-agent'] ?? '', body };
    seen.push(request);
    const own = answer(request);
    if (own === 'hang_up') {
      incoming.socket.destroy();
      return;
    }
    if (own !== null) {
      response.writeHead(own.status, { 'content-type': 'application/json' }).end(own.body);
      return;
    }
    const behind = await fetch(`${base_url}${url}`, {
      method,
      headers: Object.fromEntries(PASSED_ON.flatMap((name) => pair(name, headers[name]))),
      ...(body === '' ? {} : { body: send(request) }),
    });
    const kept = ['content-type', ...keep].flatMap((name) => pair(name, behind.headers.get(name)));
    response
      .writeHead(behind.status, Object.fromEntries(kept))
      .end(
        ids === 'one for all' && method === 'POST'
          ? (await behind.text()).replaceAll(/"id":"[^"]*"/g, '"id":"one"')
          : Buffer.from(await behind.arrayBuffer()),
      );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, seen };
}

function pair(name: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === 'string' ? [[name, value]] : [];
}
