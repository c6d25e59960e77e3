import { Buffer } from 'node:buffer';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from './api-error.ts';
import { errorBody } from './error-answer.ts';
import { MAX_HEADER_BYTES } from './http-limits.ts';
import { requestIdHeaders } from './request-id.ts';

/** How long a client may go on sending after it was told that its request is none. */
const LINGER_MS = 1000;

/**
 * Answers what never becomes a request of the app, with the error object of interface §7: bytes that are no HTTP,
 * header fields above the limit, requests that do not arrive in time, CONNECT, and expectations that nobody meets.
 */
export class SocketErrors {
  readonly #nextRequestId: () => string;
  /** Answers under way, by socket, and the last one: a second one inside them would be read as part of the first. */
  readonly #open = new WeakMap<Duplex, readonly ServerResponse[]>();
  readonly #refused = new WeakSet<Duplex>();

  constructor(nextRequestId: () => string) {
    this.#nextRequestId = nextRequestId;
  }

  attach(server: Server): void {
    server.prependListener('request', (_request, response) => this.#watch(response));
    server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      const error = new ApiError({
        status: 405,
        type: 'invalid_request_error',
        message: 'Method CONNECT is not allowed',
        headers: { allow: 'GET, HEAD, POST' },
      });
      this.#refuse(socket, request.url ?? '', error);
    });
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      const error = badRequest("Invalid value for 'Expect': expected 100-continue");
      this.#refuse(response.socket ?? request.socket, request.url?.split('?', 1)[0] ?? '', error);
    });
  }

  /** The listener of `clientError`. */
  handle(error: Error & { readonly code?: string }, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
      socket.destroy();
      return;
    }
    const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
    this.#refuse(socket, pathOf(packet), apiErrorOf(error.code));
  }

  #watch(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null) return;
    const held = this.#open.get(socket);
    this.#open.set(socket, held === undefined ? [response] : [...held.filter(isUnderWay), response]);
  }

  #isAnswering(socket: Duplex): boolean {
    return this.#open.get(socket)?.some((response) => response.headersSent && isUnderWay(response)) ?? false;
  }

  #refuse(socket: Duplex, path: string, error: ApiError): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    // Whatever else happens to a connection that is given up is of no interest to anybody.
    socket.on('error', () => socket.destroy());
    if (!socket.writable || this.#isAnswering(socket)) {
      socket.destroy();
      return;
    }
    socket.end(this.#answer(path, error));
    // Closed at once, what still comes would reset the connection before the client has read its answer.
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  }

  #answer(path: string, error: ApiError): string {
    const requestId = this.#nextRequestId();
    const body = JSON.stringify(errorBody(path, error, requestId));
    const headers = {
      ...requestIdHeaders(requestId),
      ...error.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      date: new Date().toUTCString(),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`;
  }
}

function isUnderWay(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed;
}

function apiErrorOf(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError({
      status: 431,
      type: 'invalid_request_error',
      message: `Request line and header fields are above ${MAX_HEADER_BYTES} bytes`,
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError({
      status: 408,
      type: 'invalid_request_error',
      message: 'The request did not arrive in time',
    });
  }
  return badRequest('Invalid HTTP request');
}

function badRequest(message: string): ApiError {
  return new ApiError({ status: 400, type: 'invalid_request_error', message });
}

/** The path in the request line, as far as one can be made out. */
function pathOf(packet: Buffer | null): string {
  const start = packet?.subarray(0, 2048).toString('latin1') ?? '';
  return /^\S+ (?:https?:\/\/[^/\s]*)?(\/[^\s?]*)/i.exec(start)?.[1] ?? '';
}
