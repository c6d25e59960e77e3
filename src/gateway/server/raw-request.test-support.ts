import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test writes bytes of its own. */
export interface RawConnection {
  readonly socket: Socket;
  /** The first whole answer, or null where the connection ends without one. */
  readonly answer: Promise<RawAnswer | null>;
  /** Resolves when nothing of the connection is left. */
  readonly closed: Promise<void>;
}

/** `bodyless`: the answer to HEAD tells the length of a body that does not follow. */
export function rawConnection(baseUrl: string, { bodyless = false } = {}): RawConnection {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let got = Buffer.alloc(0);
  const answer = new Promise<RawAnswer | null>((resolve) => {
    socket.on('data', (bytes) => {
      got = Buffer.concat([got, bytes]);
      const whole = readAnswer(got, bodyless);
      if (whole !== null) resolve(whole);
    });
    socket.on('close', () => resolve(readAnswer(got, bodyless)));
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
  });
  // A connection that is reset is closed, which is what tests look at.
  socket.on('error', () => socket.destroy());
  return { socket, answer, closed };
}

/** Sends these bytes and waits for the first answer. */
export async function rawRequest(baseUrl: string, given: string | Buffer): Promise<RawAnswer | null> {
  const bytes = Buffer.from(given);
  const { socket, answer } = rawConnection(baseUrl, { bodyless: bytes.toString('latin1', 0, 5) === 'HEAD ' });
  socket.write(bytes);
  const got = await answer;
  socket.destroy();
  return got;
}

/** Null while the answer is not whole. Bodies without a length end with the connection: none is waited for here. */
function readAnswer(bytes: Buffer, bodyless: boolean): RawAnswer | null {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  if (end < 0 || status === undefined) return null;
  const headers = new Map(
    text
      .slice(0, end)
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
  );
  if (status === '100') return readAnswer(bytes.subarray(end + 4), bodyless);
  const body = bytes.subarray(end + 4);
  const length = bodyless ? 0 : Number(headers.get('content-length') ?? 0);
  if (body.length < length) return null;
  return { status: Number(status), headers, body: body.subarray(0, length).toString('utf8') };
}
