import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { GatewayClient, type GatewayClientOptions } from './gateway-client.ts';

export interface LoopbackServer {
  readonly root: string;
  /** Requests received so far, oldest first. */
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

/** A server of a test on a free loopback port; `answer` writes each answer. */
export async function loopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse, url: URL) => void,
): Promise<LoopbackServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response, new URL(request.url ?? '/', 'http://loopback'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return {
    root: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

export const TEST_KEY = 'sk-test-0123456789';

/** A client of the server that waits for nothing. */
export function testClient(root: string, options: Partial<GatewayClientOptions> = {}): GatewayClient {
  return new GatewayClient({
    bases: { root, v1: `${root}/v1`, api: `${root}/api` },
    apiKey: TEST_KEY,
    timeoutMs: 5000,
    userAgent: 'weighbridge-test',
    wait: () => Promise.resolve(),
    ...options,
  });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
