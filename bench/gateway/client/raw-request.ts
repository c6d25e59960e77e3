import { Buffer } from 'node:buffer';

export interface Target {
  readonly port: number;
  readonly api_key: string;
}

/** A whole HTTP request as bytes. The bare server learns from a header what it is asked for. */
export function rawRequest({ port, api_key }: Target, body: string, stream: boolean): Buffer {
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${api_key}`,
    'content-type: application/json',
    `x-bench: ${stream ? 'stream' : 'plain'}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
