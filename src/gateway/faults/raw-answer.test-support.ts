import { Buffer } from 'node:buffer';
import { connect } from 'node:net';

/** An answer as its bytes came over the socket. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks of the body as HTTP framed them; one for a body of known length. */
  readonly chunks: readonly Buffer[];
  readonly body: Buffer;
  /** The body came to its end by the rules of HTTP. */
  readonly complete: boolean;
  readonly end: 'fin' | 'reset' | 'left';
  /** Milliseconds after the request was sent. */
  readonly head_ms: number;
  readonly body_ms: number;
  /** The last byte of the body that is no framing, and the end of the connection. */
  readonly lastByte_ms: number;
  readonly end_ms: number;
}

export interface RawRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** The client leaves that long after so many events came. */
  readonly leave?: { readonly after_events: number; readonly wait_ms: number };
}

interface Arrival {
  readonly at: number;
  readonly bytes: Buffer;
}

/** One POST over a socket of its own, read to its end. */
export function rawPost({ url, headers, body, leave }: RawRequest): Promise<RawAnswer> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const arrivals: Arrival[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    let end: RawAnswer['end'] = 'fin';
    let sent = 0;
    socket.on('connect', () => {
      const json = JSON.stringify(body);
      const all = { host: hostname, connection: 'close', 'content-type': 'application/json', ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const length = `content-length: ${Buffer.byteLength(json)}\r\n\r\n`;
      socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}${length}${json}`);
      sent = performance.now();
    });
    let events = 0;
    socket.on('data', (bytes) => {
      arrivals.push({ at: performance.now() - sent, bytes });
      if (leave === undefined || events >= leave.after_events) return;
      events =
        Buffer.concat(arrivals.map((arrival) => arrival.bytes))
          .toString()
          .split('\n\n').length - 1;
      if (events < leave.after_events) return;
      setTimeout(() => {
        if (!socket.destroyed) end = 'left';
        socket.destroy();
      }, leave.wait_ms);
    });
    socket.on('error', (error) => {
      if ('code' in error && error.code === 'ECONNRESET') end = 'reset';
      else reject(error);
    });
    socket.on('close', () => {
      try {
        resolve({ ...answerOf(arrivals), end, end_ms: performance.now() - sent });
      } catch (error) {
        reject(error);
      }
    });
  });
}

function answerOf(arrivals: readonly Arrival[]): Omit<RawAnswer, 'end' | 'end_ms'> {
  const bytes = Buffer.concat(arrivals.map((arrival) => arrival.bytes));
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) throw new Error(`no head in ${bytes.length} bytes`);
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const from = headEnd + 4;
  const framed =
    headers['transfer-encoding'] === 'chunked' ? chunked(bytes, from) : plain(bytes, from, headers);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    chunks: framed.chunks,
    body: Buffer.concat(framed.chunks),
    complete: framed.complete,
    head_ms: arrivalOf(arrivals, 0),
    body_ms: arrivalOf(arrivals, from),
    lastByte_ms: arrivalOf(arrivals, framed.lastByte),
  };
}

interface Framed {
  readonly chunks: Buffer[];
  readonly complete: boolean;
  readonly lastByte: number;
}

function plain(bytes: Buffer, from: number, headers: Readonly<Record<string, string>>): Framed {
  const body = bytes.subarray(from);
  return {
    chunks: [body],
    complete: body.length === Number(headers['content-length']),
    lastByte: bytes.length - 1,
  };
}

function chunked(bytes: Buffer, start: number): Framed {
  const chunks: Buffer[] = [];
  let at = start;
  let lastByte = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return { chunks, complete: false, lastByte };
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const from = lineEnd + 2;
    if (size === 0) return { chunks, complete: true, lastByte };
    chunks.push(bytes.subarray(from, Math.min(from + size, bytes.length)));
    if (from + size > bytes.length) return { chunks, complete: false, lastByte: bytes.length - 1 };
    lastByte = from + size - 1;
    at = from + size + 2;
  }
}

/** When the byte at `offset` came; Infinity when it never did. */
function arrivalOf(arrivals: readonly Arrival[], offset: number): number {
  let seen = 0;
  for (const { at, bytes } of arrivals) {
    seen += bytes.length;
    if (seen > offset) return at;
  }
  return Number.POSITIVE_INFINITY;
}
