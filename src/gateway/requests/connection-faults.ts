import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AfterAnswer } from '../hooks/answer-hooks.ts';

interface Drop {
  readonly idle_ms: number;
  readonly race: boolean;
  fired(): void;
  readonly timer: NodeJS.Timeout;
}

const RETRY_MS = 50;
/** As many waiting connections as the first time. */
const BACKLOG = 4096;

/** Breaks connections after answers: the listener's, and those that a client keeps for its next request. */
export class ConnectionFaults {
  readonly #app: FastifyInstance;
  readonly #dropped = new WeakMap<Socket, Drop>();
  #reopening: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(app: FastifyInstance) {
    this.#app = app;
    app.addHook('onClose', async () => {
      this.#closed = true;
      if (this.#reopening !== null) clearTimeout(this.#reopening);
    });
  }

  /** True where the connection of a request is lost: it is reset, and the request must not be looked at. */
  lost({ raw }: FastifyRequest): boolean {
    const drop = this.#dropped.get(raw.socket);
    if (drop === undefined) return false;
    clearTimeout(drop.timer);
    if (!drop.race) return false;
    this.#dropped.delete(raw.socket);
    drop.fired();
    raw.socket.resetAndDestroy();
    return true;
  }

  /** A connection is idle again. */
  answered(socket: Socket, after: AfterAnswer | null): void {
    if (after?.does === 'refuse') this.#refuse(after);
    const held = this.#dropped.get(socket);
    const drop = after?.does === 'drop' ? after : held;
    if (drop === undefined) return;
    if (held === undefined) socket.once('close', () => clearTimeout(this.#dropped.get(socket)?.timer));
    const timer = setTimeout(() => {
      this.#dropped.delete(socket);
      if (socket.destroyed) return;
      drop.fired();
      socket.destroy();
    }, drop.idle_ms);
    const { idle_ms, race, fired } = drop;
    this.#dropped.set(socket, { idle_ms, race, fired, timer });
  }

  #refuse({ for_ms, fired }: Extract<AfterAnswer, { does: 'refuse' }>): void {
    const { server } = this.#app;
    const address = server.address();
    // Already closed by the same fault of another request.
    if (address === null || typeof address === 'string') return;
    fired();
    server.close();
    server.closeIdleConnections();
    this.#reopen(address, for_ms);
  }

  /** On the same port; another process may hold it for a moment. */
  #reopen(address: AddressInfo, wait_ms: number): void {
    this.#reopening = setTimeout(() => {
      if (this.#closed) return;
      const { server } = this.#app;
      const again = (): void => this.#reopen(address, RETRY_MS);
      server.once('error', again);
      server.listen({ port: address.port, host: address.address, backlog: BACKLOG }, () =>
        server.off('error', again),
      );
    }, wait_ms);
  }
}
