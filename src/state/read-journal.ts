import { z } from 'zod';
import { stateFailure } from './state-failure.ts';

const LINE_END = 10;
const headerLine = z.looseObject({ schema: z.string() });

export interface JournalRead {
  /** Lines that are whole, the header among them. */
  readonly lines: number;
  /** Bytes up to the end of the last whole line. */
  readonly end: number;
  /** Bytes of a last line that has no end: it was being written when the process died, and nobody was told that it stands. */
  readonly torn: number;
}

/** Hands on each whole line behind the header and what is `known`. Throws `state_corrupt` or `state_version`. */
export function readJournal(
  path: string,
  bytes: Uint8Array,
  schema: string,
  replay: (line: unknown) => void,
  known: Pick<JournalRead, 'lines' | 'end'> = { lines: 0, end: 0 },
): JournalRead {
  const end = bytes.lastIndexOf(LINE_END) + 1;
  let { lines } = known;
  for (let from = known.end; from < end; ) {
    const to = bytes.indexOf(LINE_END, from);
    const text = new TextDecoder().decode(bytes.subarray(from, to));
    lines += 1;
    from = to + 1;
    const place = { path, number: lines, text };
    if (lines === 1) readHeader(place, schema);
    else readLine(place, replay);
  }
  return { lines, end, torn: bytes.length - end };
}

interface Place {
  readonly path: string;
  readonly number: number;
  readonly text: string;
}

function readHeader(place: Place, schema: string): void {
  let found = '';
  readLine(place, (line) => {
    found = headerLine.parse(line).schema;
  });
  if (found === schema) return;
  throw stateFailure(
    'state_version',
    `expected ${schema} in line 1 of ${place.path}, found ${JSON.stringify(found.slice(0, 60))}`,
    'use the version of Weighbridge that wrote it, or give another folder for the state',
  );
}

function readLine({ path, number, text }: Place, replay: (line: unknown) => void): void {
  try {
    replay(JSON.parse(text));
  } catch (cause) {
    throw stateFailure(
      'state_corrupt',
      `expected a line of the journal in line ${number} of ${path}, found ${JSON.stringify(text.slice(0, 60))}`,
      'restore the file from a copy, or move it away: what it reserved and which tasks it has open is then forgotten',
      cause,
    );
  }
}
