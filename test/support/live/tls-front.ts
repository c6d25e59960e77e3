import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TestCertificate } from '../../../src/client/test-certificate.test-support.ts';

/** A gateway behind TLS, as a proxy in front of it makes it. */
export class TlsFront {
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(gatewayUrl: string, identity: TestCertificate): Promise<TlsFront> {
    const server = createServer(serving(identity), (incoming, answer) => {
      const { method, headers, url = '/' } = incoming;
      const passed = request(new URL(url, gatewayUrl), { method, headers }, (served) => {
        answer.writeHead(served.statusCode ?? 502, served.headers);
        served.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      incoming.pipe(passed);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new TlsFront(server, `https://localhost:${address.port}`);
  }

  /** For connections from now on; those that are open go. */
  present(identity: TestCertificate): void {
    this.#server.setSecureContext(serving(identity));
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

function serving({ certificate, key }: TestCertificate): { readonly cert: string; readonly key: string } {
  return { cert: certificate, key };
}
