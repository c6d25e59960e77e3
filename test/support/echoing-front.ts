import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** So many paid calls are passed on as they are answered: a kind whose trial fails is not called. */
const SPARED = 12;

/**
 * Stands before a gateway and writes secrets into all that it answers: error objects and pages, headers, ids, names,
 * finish reasons, usage, both halves of one in two events of a stream, records, totals, the price book, lists, tasks.
 */
export class EchoingFront {
  readonly #root: string;
  readonly #forms: readonly string[];
  #next = 0;
  #calls = 0;

  private constructor(root: string, forms: readonly string[]) {
    this.#root = root;
    this.#forms = forms;
  }

  /** Its address; it ends with the test. */
  static async start(root: string, forms: readonly string[]): Promise<string> {
    const front = new EchoingFront(root, forms);
    const server = createServer((request, response) => {
      front.#answer(request, response).catch((error) => response.destroy(error));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Another form each time. */
  #form(): string {
    this.#next += 1;
    return this.#forms[this.#next % this.#forms.length] ?? '';
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { method = 'GET', url = '/' } = request;
    const { host, connection, 'content-length': length, ...headers } = request.headers;
    if (method === 'POST') this.#calls += 1;
    const place = this.#calls > SPARED && method === 'POST' ? this.#calls % 6 : 0;
    response.setHeader('request-id', this.#form());
    if (place === 1) return void this.#json(response, 400, { error: this.#error() });
    if (place === 2)
      return void response.writeHead(502).end(`<html><title>${this.#form()}</title>${this.#all()}`);
    const answer = await fetch(this.#root + url, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const type = answer.headers.get('content-type') ?? '';
    response.setHeader('x-request-id', answer.headers.get('x-request-id') ?? '');
    if (type.startsWith('text/event-stream')) {
      response.writeHead(answer.status, { 'content-type': type }).end(this.#stream(await answer.text()));
    } else if (type.startsWith('application/json')) {
      this.#json(response, answer.status, this.#document(url, await answer.json()));
    } else {
      response.writeHead(answer.status, { 'content-type': type });
      response.end(Buffer.from(await answer.arrayBuffer()));
    }
  }

  #json(response: ServerResponse, status: number, document: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  }

  #all(): string {
    return this.#forms.join(' ');
  }

  #error(): object {
    return { message: `no such key: ${this.#form()} ${this.#all()}`, type: this.#form(), code: this.#form() };
  }

  #stream(text: string): string {
    if (!text.includes('chat.completion.chunk')) return text;
    const form = this.#form();
    const chunk = (delta: object, more: object = {}): string =>
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...more, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
    const halves = [form.slice(0, form.length / 2), form.slice(form.length / 2)];
    const names = { id: this.#form(), model: this.#form(), service_tier: this.#form() };
    return halves.map((content) => chunk({ role: 'assistant', content }, names)).join('') + text;
  }

  #document(url: string, served: unknown): unknown {
    const document = { ...Object(served), note: this.#all(), [this.#form()]: this.#form() };
    const { data, models, choices, usage, status } = document;
    const odd = { id: this.#form(), request_id: this.#form(), model: this.#form(), owned_by: this.#form() };
    if (url.includes('/v1/usage/requests') && Array.isArray(data)) {
      const words = { result: this.#form(), billing_status: this.#form(), pricing_version: this.#form() };
      const noted = data.map((record) => ({ ...record, note: this.#all() }));
      const [first] = data;
      return { ...document, data: first === undefined ? noted : [...noted, { ...first, ...odd, ...words }] };
    }
    if (url.startsWith('/v1/models')) return { ...document, data: [...data, odd] };
    if (Array.isArray(models))
      return { ...document, models: models.map((model) => ({ ...model, note: this.#all() })) };
    if (/\/v1\/(videos|images\/jobs)\/[^/]+$/.test(url) && status === 'completed')
      return { ...document, status: 'failed', error: this.#error() };
    if (Array.isArray(choices) && this.#calls > SPARED)
      return {
        ...document,
        ...odd,
        choices: choices.map((choice) => ({ ...choice, finish_reason: this.#form() })),
        usage: { ...usage, [this.#form()]: this.#form() },
      };
    return document;
  }
}
