import { z } from 'zod';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { JOURNAL_SCHEMA } from '../../contracts/journal.ts';
import { markerOf } from '../../core/marker.ts';
import { textLines } from '../../ledger/text-lines.ts';
import { jsonOf } from '../../text/json-of.ts';

/** What a gateway behind the one under test really did with a call: the marker in the prompt names it. */
export interface UpstreamCall {
  readonly marker: string;
  /** Tokens with those of the cache inside. */
  readonly input: number;
  /** Tokens that had come out when the call ended, however it ended for the client. */
  readonly output: number;
}

const journalLine = z.discriminatedUnion('type', [
  z.looseObject({
    schema: z.literal(JOURNAL_SCHEMA),
    type: z.literal('call'),
    marker: z.string().nullable(),
    input_tokens: z.int().min(0).optional(),
    output_tokens: z.int().min(0).optional(),
  }),
  z.looseObject({ schema: z.literal(JOURNAL_SCHEMA), type: z.literal('fault') }),
]);

/**
 * The calls of a journal. A line that is no journal line is an error with its number; a last line without its end is
 * what a stopped gateway leaves, and is left out.
 */
export async function readUpstreamJournal(file: string): Promise<readonly UpstreamCall[]> {
  const calls: UpstreamCall[] = [];
  for await (const { text, number, ended } of textLines(file)) {
    const parsed = journalLine.safeParse(jsonOf(text));
    if (!parsed.success) {
      if (!ended) continue;
      throw new WeighbridgeError({
        code: 'journal_corrupt',
        message: `${file}:${number}: expected a line of ${JOURNAL_SCHEMA}, found ${JSON.stringify(text.slice(0, 60))}`,
        hint: 'give the file that the gateway behind the target wrote with --journal',
        exitCode: EXIT.usage,
      });
    }
    const line = parsed.data;
    if (line.type === 'fault' || line.marker === null) continue;
    const { marker, input_tokens: input, output_tokens: output } = line;
    if (input !== undefined && output !== undefined) calls.push({ marker, input, output });
  }
  return calls;
}

/** The upstream's own count for each call of ours that went there once; one that went there again proves nothing. */
export function upstreamByCall(
  upstream: readonly UpstreamCall[],
  nonce: string,
  callIds: readonly string[],
): ReadonlyMap<string, UpstreamCall> {
  const byMarker = Map.groupBy(upstream, ({ marker }) => marker);
  return new Map(
    callIds.flatMap((id) => {
      const [only, ...more] = byMarker.get(markerOf(nonce, id)) ?? [];
      return only === undefined || more.length > 0 ? [] : [[id, only] as const];
    }),
  );
}
