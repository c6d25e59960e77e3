import { createReadStream } from 'node:fs';

export interface TextLine {
  readonly text: string;
  /** Counts from 1. */
  readonly number: number;
  /** False for a last line without a newline: its writer may have been stopped in the middle. */
  readonly ended: boolean;
}

/** Lines of a UTF-8 file, split at LF alone: U+2028 and CR may stand inside JSON strings. Empty lines are left out. */
export async function* textLines(path: string): AsyncGenerator<TextLine, void, undefined> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let number = 0;
  for await (const chunk of createReadStream(path)) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('text-lines: expected bytes');
    // What is held is not split again with each chunk: a line of 100 MB would take minutes.
    const [head = '', ...parts] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.unshift(rest + head);
    rest = parts.pop() ?? '';
    for (const text of parts) {
      number += 1;
      if (text.trim() !== '') yield { text, number, ended: true };
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield { text: rest, number: number + 1, ended: false };
}
