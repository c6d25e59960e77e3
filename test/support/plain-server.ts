import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** How a server without a bill behaves where OpenAI-compatible ones differ. */
export interface Manner {
  /** Ids of `GET /v1/models`; null: it has no such route. */
  readonly models: readonly string[] | null;
  /** False: a stream ends without `[DONE]`. */
  readonly done: boolean;
  /** False: `stream_options` is left unread, so that no stream tells its tokens. */
  readonly streamOptions: boolean;
  /** Every call is answered so. */
  readonly refusal?: { readonly status: number; readonly message: string };
}

export const MANNERS = {
  'llama.cpp': { models: null, done: true, streamOptions: true },
  vLLM: { models: ['meta/tiny-instruct'], done: true, streamOptions: true },
  Ollama: { models: ['nomic-embed-text:latest', 'tiny:1b'], done: true, streamOptions: false },
} as const satisfies Record<string, Manner>;

const WORDS = ['The', ' answer', ' comes', ' word', ' by', ' word', '.'];

const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
});

export interface PlainServer {
  readonly url: string;
  /** Bodies of the calls that came, and the `Authorization` of each; null for none. */
  readonly calls: { readonly model: string; readonly authorization: string | null }[];
}

/** A chat server on 127.0.0.1 that knows neither keys nor prices; it ends with the test. */
export async function plainServer(manner: Manner): Promise<PlainServer> {
  const calls: PlainServer['calls'] = [];
  const server = createServer((request, response) => {
    void answer(manner, calls, request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return { url: `http://127.0.0.1:${port}`, calls };
}

async function answer(
  manner: Manner,
  calls: PlainServer['calls'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  const { method, url } = request;
  if (method === 'GET' && url === '/v1/models' && manner.models !== null)
    return json(response, 200, {
      object: 'list',
      data: manner.models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'here' })),
    });
  if (method !== 'POST' || url !== '/v1/chat/completions')
    return json(response, 404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } });
  const body = bodySchema.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  calls.push({ model: body.model, authorization: request.headers.authorization ?? null });
  const { refusal } = manner;
  if (refusal !== undefined) return json(response, refusal.status, { error: { message: refusal.message } });
  const usage = {
    prompt_tokens: 40,
    completion_tokens: WORDS.length,
    total_tokens: 40 + WORDS.length,
  };
  if (body.stream !== true) {
    const message = { role: 'assistant', content: WORDS.join('') };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return json(response, 200, { ...head(body.model, 'chat.completion'), choices, usage });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (data: object): void => {
    response.write(`data: ${JSON.stringify({ ...head(body.model, 'chat.completion.chunk'), ...data })}\n\n`);
  };
  for (const word of WORDS) {
    event({ choices: [{ index: 0, delta: { content: word }, finish_reason: null }] });
    await new Promise((next) => setImmediate(next));
  }
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  if (manner.streamOptions && body.stream_options?.include_usage === true) event({ choices: [], usage });
  if (manner.done) response.write('data: [DONE]\n\n');
  response.end();
}

function head(model: string, object: string) {
  return { id: 'chatcmpl-1', object, created: 1, model };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
