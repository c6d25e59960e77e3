import { z } from 'zod';
import type { ErrorCode } from '../../contracts/errors/error-code.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { JOURNAL_SCHEMA } from '../../contracts/journal.ts';
import { amount, wholeCount } from '../../contracts/scalars.ts';
import {
  UPSTREAM_SCHEMA,
  type UpstreamCall,
  type UpstreamHeader,
  upstreamLine,
} from '../../contracts/upstream-call.ts';
import { markerOf } from '../../core/marker.ts';
import { textLines } from '../../ledger/text-lines.ts';
import { jsonOf } from '../../text/json-of.ts';

/** The one count that a gateway behind the one under test made of a call: the marker in the prompt names it. */
export interface CountedUpstream {
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
    request_id: z.string(),
    marker: z.string().nullable(),
    received_at: z.string(),
    amount,
    model: z.string().default(''),
    input_tokens: wholeCount.optional(),
    output_tokens: wholeCount.optional(),
  }),
  z.looseObject({ schema: z.literal(JOURNAL_SCHEMA), type: z.literal('fault') }),
]);

/**
 * The calls of a journal. A line that is no journal line is an error with its number; a last line without its end is
 * what a stopped gateway leaves, and is left out.
 */
export async function journalCalls(file: string): Promise<readonly UpstreamCall[]> {
  const calls: UpstreamCall[] = [];
  for await (const { text, number, ended } of textLines(file)) {
    const parsed = journalLine.safeParse(jsonOf(text));
    if (!parsed.success) {
      if (!ended) continue;
      throw corrupt('journal_corrupt', `${file}:${number}: expected a line of ${JOURNAL_SCHEMA}`, text);
    }
    if (parsed.data.type === 'fault') continue;
    const { request_id, marker, received_at, amount: cost, model, input_tokens, output_tokens } = parsed.data;
    calls.push({
      schema: UPSTREAM_SCHEMA,
      type: 'call',
      ids: [request_id],
      marker,
      model,
      at: received_at,
      cost,
      input: input_tokens ?? null,
      output: output_tokens ?? null,
      cache_read: null,
      cache_write: null,
    });
  }
  return calls;
}

const OF_A_JOURNAL: UpstreamHeader = {
  schema: UPSTREAM_SCHEMA,
  type: 'header',
  kind: 'journal',
  mapping: null,
  whole: false,
  models: [],
};

/**
 * What a run folder keeps of the calls behind the target; folders of earlier versions keep the journal itself. Throws
 * `upstream_corrupt` and `journal_corrupt` (exit 2) with file and line.
 */
export async function readUpstream(
  file: string,
): Promise<{ readonly header: UpstreamHeader; readonly calls: readonly UpstreamCall[] }> {
  const calls: UpstreamCall[] = [];
  let header: UpstreamHeader | null = null;
  for await (const { text, number } of textLines(file)) {
    const value = jsonOf(text);
    if (header === null && journalLine.safeParse(value).success)
      return { header: OF_A_JOURNAL, calls: await journalCalls(file) };
    const line = upstreamLine.safeParse(value).data;
    if (line === undefined || (line.type === 'header') !== (header === null))
      throw corrupt('upstream_corrupt', `${file}:${number}: expected a line of ${UPSTREAM_SCHEMA}`, text);
    if (line.type === 'header') header = line;
    else calls.push(line);
  }
  return { header: header ?? OF_A_JOURNAL, calls };
}

function corrupt(code: ErrorCode, what: string, text: string): WeighbridgeError {
  return new WeighbridgeError({
    code,
    message: `${what}, found ${JSON.stringify(text.slice(0, 60))}`,
    hint: 'give the file again with --upstream, as the gateway behind the target wrote it with --journal, or as it was exported',
    exitCode: EXIT.usage,
  });
}

/** The upstream's own count for each call of ours that went there once; one that went there again proves nothing. */
export function upstreamByCall(
  upstream: readonly UpstreamCall[],
  nonce: string,
  callIds: readonly string[],
): ReadonlyMap<string, CountedUpstream> {
  const byMarker = Map.groupBy(upstream, ({ marker }) => marker);
  return new Map(
    callIds.flatMap((id) => {
      const marker = markerOf(nonce, id);
      const [only, ...more] = byMarker.get(marker) ?? [];
      if (only === undefined || more.length > 0 || only.input === null || only.output === null) return [];
      return [[id, { marker, input: only.input, output: only.output }] as const];
    }),
  );
}
