import { Buffer } from 'node:buffer';
import { type Json, parseJson, valueAt } from './json.ts';

/** An answer read to its end. Fields are read leniently: what a case does not assert may have any form. */
export class Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON, undefined where it is none. */
  readonly json: Json | undefined;

  constructor(status: number, headers: Headers, bytes: ArrayBuffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = Buffer.from(bytes);
    this.text = this.bytes.toString();
    this.json = parseJson(this.text);
  }

  at(...path: readonly (string | number)[]): Json | undefined {
    return valueAt(this.json, path);
  }

  /** A field of the error as text, wherever it stands; empty where it is absent. */
  errorText(field: 'message' | 'type' | 'code'): string {
    return String(this.at('error', field) ?? this.at(field) ?? '');
  }

  get type(): string {
    return this.headers.get('content-type') ?? '';
  }

  /** The id under which the gateway records the call. */
  get requestId(): string {
    return this.headers.get('x-oneapi-request-id') ?? '';
  }
}
