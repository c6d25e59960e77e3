import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { CallUnits } from '../../contracts/ledger-lines.ts';
import { PATH_OF } from '../../core/call-kind.ts';
import type { CallToSend, ImageCall, ImageJobCall, TextCall } from './paid-call.ts';

/** A PNG of one pixel: the picture that edits start from, as in the scripts of the load engine. */
const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A paid call in its wire form. */
export interface PaidRequest {
  /** Under the root, for the row. */
  readonly path: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  readonly max_tokens: number | null;
  readonly units: CallUnits | null;
}

/** `prompt` is the whole one, its marker included. */
export function paidRequest(call: CallToSend, prompt: string): PaidRequest {
  const path = PATH_OF[call.kind];
  switch (call.kind) {
    case 'chat':
    case 'responses':
    case 'messages':
      return textRequest(call, path, prompt);
    case 'video': {
      const { model, size, seconds } = call;
      const body = withoutNulls({ model, prompt, seconds: seconds === null ? null : String(seconds), size });
      const units = { images: null, size, quality: null, seconds, resolution: size };
      return { path, ...json(body), stream: false, max_tokens: null, units };
    }
    default:
      return imageRequest(call, path, prompt);
  }
}

function textRequest(call: TextCall, path: string, prompt: string): PaidRequest {
  const { model, stream, max_tokens } = call;
  const messages = [{ role: 'user', content: prompt }];
  const told = { stream, max_tokens, units: null };
  switch (call.kind) {
    case 'chat': {
      const stream_options = stream ? { include_usage: true } : null;
      return {
        path,
        ...json(withoutNulls({ model, messages, max_tokens, stream, stream_options })),
        ...told,
      };
    }
    case 'responses':
      return {
        path,
        ...json(withoutNulls({ model, input: prompt, max_output_tokens: max_tokens, stream })),
        ...told,
      };
    case 'messages': {
      const { body, headers } = json(withoutNulls({ model, messages, max_tokens, stream }));
      // The messages vendor's version header: declared optional, to be included (interface §5).
      return { path, body, headers: { ...headers, 'anthropic-version': '2023-06-01' }, ...told };
    }
  }
}

function imageRequest(call: ImageCall | ImageJobCall, path: string, prompt: string): PaidRequest {
  const { model, size, quality, response_format } = call;
  const fields = withoutNulls({ model, prompt, size, quality, response_format, n: 1 });
  const units = { images: 1, size, quality, seconds: null, resolution: null };
  const told = { path, stream: false, max_tokens: null, units };
  if (call.kind === 'image' || call.kind === 'image_job') return { ...told, ...json(fields) };
  if (!call.multipart)
    return { ...told, ...json({ ...fields, image: `data:image/png;base64,${PIXEL_PNG}` }) };
  const picture = { name: 'image', filename: 'pixel.png', type: 'image/png' };
  const { body, type } = multipartBody(fields, { ...picture, bytes: Buffer.from(PIXEL_PNG, 'base64') });
  return { ...told, body, headers: { 'content-type': type } };
}

function json(body: object): Pick<PaidRequest, 'body' | 'headers'> {
  return { body: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } };
}

/** What is not asked for is left out: a target need not take null. */
function withoutNulls(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

interface FilePart {
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A form of fields and one file (RFC 7578), as bytes, so that its size is known before it is sent. */
function multipartBody(
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

/**
 * Work that no moment rests on, a piece in each turn of the event loop: what comes meanwhile for other calls is stamped in
 * between, however many of them there are.
 */
class FreeTurns {
  readonly #waiting = new Set<() => void>();
  #isDue = false;

  /** `work` must not throw. The answer takes it back. */
  later(work: () => void): () => void {
    // Each its own, though the same work be asked for twice.
    const piece = () => work();
    this.#waiting.add(piece);
    this.#arm();
    return () => {
      this.#waiting.delete(piece);
    };
  }

  #arm(): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isDue = false;
    const [piece] = this.#waiting;
    if (piece === undefined) return;
    this.#waiting.delete(piece);
    piece();
    this.#arm();
  }
}

/** Of all calls of this process: they share its event loop. */
export const FREE_TURNS = new FreeTurns();
