import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { weighed } from '../../src/record/record.ts';

const PAID = /^\/v1\/(chat\/completions|messages|responses|images\/generations(\/jobs)?|videos)$/;
/** Of so many calls one is begun at the provider, given up, and made again. */
const RETRIED = 5;

const page = z.looseObject({ data: z.array(z.looseObject({ request_id: z.string() })) });

export interface Reseller {
  readonly url: string;
  /** Calls to the provider. */
  readonly bought: () => number;
  /** Those of them that were given up for another attempt. */
  readonly retried: () => number;
}

/**
 * A gateway that buys each call from `buys` and charges it by the books of `sells`: both gateways see the call, and the
 * journal of each tells what it was worth. It names its purchase in a header of the answer and in its records, cuts the
 * purchase when its customer goes, tries some calls twice, and writes a ledger of what it buys into `dir`.
 */
export async function resellingFront(
  sells: string,
  { buys, key, dir }: { readonly buys: string; readonly key: string; readonly dir: string },
): Promise<Reseller> {
  const bought = weighed({ dir, run: 'bought' });
  const purchases = new Map<string, readonly string[]>();
  let calls = 0;
  let retried = 0;
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}`, bought: () => calls + retried, retried: () => retried };

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { method = 'GET', url = '/', headers } = incoming;
    const given = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableEnded) given.abort();
    });
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const behind = { method, headers: passedOn(headers), signal: given.signal, ...body };
    if (method !== 'POST' || !PAID.test(url))
      return void (await pass(await fetch(sells + url, behind), url, outgoing));
    const { 'x-api-key': _, ...own } = behind.headers;
    const order = { ...behind, headers: { ...own, authorization: `Bearer ${key}` } };
    calls += 1;
    const ids: string[] = [];
    if (calls % RETRIED === 0) {
      const first = await bought(buys + url, order);
      ids.push(idOf(first));
      await first.body?.cancel();
      retried += 1;
    }
    const purchase = await bought(buys + url, order);
    ids.push(idOf(purchase));
    const used = purchase.arrayBuffer().catch(() => null);
    const sale = await fetch(sells + url, behind);
    purchases.set(idOf(sale), ids);
    outgoing.writeHead(sale.status, {
      'content-type': sale.headers.get('content-type') ?? '',
      'x-oneapi-request-id': idOf(sale),
      'x-request-id': ids.at(-1) ?? '',
    });
    for await (const chunk of sale.body ?? []) outgoing.write(chunk);
    await used;
    outgoing.end();
  }

  async function pass(answer: Response, url: string, outgoing: ServerResponse): Promise<void> {
    const bytes = Buffer.from(await answer.arrayBuffer());
    const content = { 'content-type': answer.headers.get('content-type') ?? '' };
    const served = url.startsWith('/v1/usage/requests') && answer.ok ? named(bytes) : bytes;
    outgoing.writeHead(answer.status, { ...content, 'x-oneapi-request-id': idOf(answer) }).end(served);
  }

  /** The records with what was bought for each. */
  function named(bytes: Buffer): string {
    const { data, ...rest } = page.parse(JSON.parse(bytes.toString()));
    const told = data.map((record) => ({
      ...record,
      upstream_request_id: purchases.get(record.request_id) ?? [],
    }));
    return JSON.stringify({ ...rest, data: told });
  }
}

function idOf(answer: Response): string {
  return answer.headers.get('x-oneapi-request-id') ?? '';
}

function passedOn({ host, connection, 'content-length': length, ...headers }: IncomingMessage['headers']) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
