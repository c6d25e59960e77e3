import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';

interface FilePart {
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A form of fields and one file (RFC 7578), as bytes, so that its size is known before it is sent. */
export function multipartBody(
  fields: Readonly<Record<string, unknown>>,
  file: FilePart,
): { readonly body: Uint8Array; readonly type: string } {
  const boundary = `weighbridge-${randomBytes(12).toString('hex')}`;
  const head = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `${head(`name="${name}"`)}\r\n${String(value)}\r\n`,
  );
  const body = Buffer.concat([
    Buffer.from(texts.join('')),
    Buffer.from(
      `${head(`name="${file.name}"; filename="${file.filename}"`)}Content-Type: ${file.type}\r\n\r\n`,
    ),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
