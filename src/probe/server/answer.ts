/** What a route answers; the length, the compression and the headers of every answer are added when it is sent. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const PLAIN = 'text/plain; charset=utf-8';

export function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, type: PLAIN, body: `${text}\n`, headers };
}
