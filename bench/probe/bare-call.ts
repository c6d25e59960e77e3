import { once } from 'node:events';
import { connect } from 'node:net';
import { MODEL, PROMPT, TOKENS } from './watched-calls.ts';

export interface BareCall {
  readonly request_id: string;
  /** From the write of the request to the first content. */
  readonly ttft_ms: number;
}

const CONTENT = /"content":"[^"]/;
const REQUEST_ID = /x-request-id: (\S+)/i;
const BODY = JSON.stringify({
  model: MODEL,
  messages: [{ role: 'user', content: PROMPT }],
  max_tokens: TOKENS,
  stream: true,
});

/** A streamed call by a bare socket, with nothing parsed but where content begins. */
export async function bareCall(base: string, key: string): Promise<BareCall> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.write(
    [
      'POST /v1/chat/completions HTTP/1.1',
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      'connection: close',
      `content-length: ${Buffer.byteLength(BODY)}`,
      '',
      BODY,
    ].join('\r\n'),
  );
  const wrote = performance.now();
  let text = '';
  let first: number | null = null;
  socket.on('data', (chunk: Buffer) => {
    const at = performance.now();
    if (first !== null) return;
    text += chunk.toString('latin1');
    if (CONTENT.test(text)) first = at;
  });
  await once(socket, 'close');
  return { request_id: REQUEST_ID.exec(text)?.[1] ?? '', ttft_ms: (first ?? Number.NaN) - wrote };
}
