import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TEXT_KINDS, type TextKind } from '../../src/core/call-kind.ts';
import { type SdkBench, startBench } from './clients.ts';

let bench: SdkBench;

beforeAll(async () => {
  // The clients print what they cannot parse.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  bench = await startBench();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await bench.gateway.close();
});

const MODEL = 'aspen-mini';
const PROMPT = 'tell of the harbor';
/** Events before the first text. */
const OPENING = { chat: 1, responses: 4, messages: 3 } as const;

/** The pieces of a stream as the official client of its format gives them. */
async function* pieces(kind: TextKind): AsyncGenerator<string> {
  const { openai, anthropic } = bench;
  const messages = [{ role: 'user' as const, content: PROMPT }];
  if (kind === 'chat') {
    const body = { model: MODEL, messages, max_tokens: 8, stream: true } as const;
    for await (const chunk of await openai.chat.completions.create(body)) {
      yield chunk.choices[0]?.delta.content ?? '';
    }
  } else if (kind === 'responses') {
    const body = { model: MODEL, input: PROMPT, max_output_tokens: 8, stream: true } as const;
    for await (const event of await openai.responses.create(body)) {
      if (event.type === 'response.output_text.delta') yield event.delta;
    }
  } else {
    const body = { model: MODEL, messages, max_tokens: 8, stream: true } as const;
    for await (const event of await anthropic.messages.create(body)) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text;
    }
  }
}

interface Read {
  readonly text: string;
  /** What the client threw, or null. */
  readonly error: unknown;
}

async function read(kind: TextKind): Promise<Read> {
  let text = '';
  try {
    for await (const piece of pieces(kind)) text += piece;
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

/** A call with the fault and the same call without. */
async function readTwice(
  kind: TextKind,
  fault: string,
  parameters?: object,
): Promise<[hit: Read, right: Read]> {
  const entry = { fault, when: { nth: 1 }, ...(parameters === undefined ? {} : { parameters }) };
  await bench.control('PUT', '/faults', { faults: [entry] });
  const hit = await read(kind);
  return [hit, await read(kind)];
}

describe.each(TEXT_KINDS)('%s', (kind) => {
  const after_events = OPENING[kind] + 2;

  test.each([
    ['net.crlf', undefined],
    ['net.cr', undefined],
    ['net.bom', undefined],
    ['net.nospace', undefined],
    ['net.multiline_data', undefined],
    ['net.slice', { max_bytes: 7 }],
    ['net.coalesce', { events: 3 }],
    ['net.comments', { every_ms: 1 }],
    ['net.gzip_stream', undefined],
    ['net.slow_close', { open_ms: 20 }],
    ['net.dup_terminator', undefined],
  ])('%s: the official client reads the same text', async (fault, parameters) => {
    const [hit, right] = await readTwice(kind, fault, parameters);
    expect(right.error).toBeNull();
    expect(right.text).not.toBe('');
    expect(hit).toEqual(right);
  });

  test('net.split_utf8: the official client puts the letter together', async () => {
    const [hit, right] = await readTwice(kind, 'net.split_utf8');
    expect(hit.error).toBeNull();
    expect(hit.text).toMatch(/[^\p{ASCII}\ufffd]/u);
    expect(hit.text).not.toContain('\ufffd');
    expect(hit.text).not.toBe(right.text);
  });

  test.each([
    ['net.eof_clean', { after_events }],
    ['net.no_terminator', undefined],
  ])('%s: the official client does not notice', async (fault, parameters) => {
    const [hit, right] = await readTwice(kind, fault, parameters);
    expect(hit.error).toBeNull();
    expect(right.text.startsWith(hit.text)).toBe(true);
  });

  test.each([
    ['net.fin_mid', { after_events }, TypeError],
    ['net.reset_mid', { after: after_events }, TypeError],
    ['net.trunc_json', { after_events }, SyntaxError],
    ['net.garbage_chunk', { after_events }, SyntaxError],
  ])('%s: the official client throws', async (fault, parameters, kindOfError) => {
    const [hit, right] = await readTwice(kind, fault, parameters);
    expect(hit.error).toBeInstanceOf(kindOfError);
    expect(right.text.startsWith(hit.text)).toBe(true);
    expect(right.error).toBeNull();
  });

  test('net.half_event: thrown, but for the messages client, which drops what no blank line ends', async () => {
    const [hit, right] = await readTwice(kind, 'net.half_event', { after_events });
    if (kind === 'messages') expect(hit.error).toBeNull();
    else expect(hit.error).toBeInstanceOf(SyntaxError);
    expect(hit.text.length).toBeLessThan(right.text.length);
  });

  test('sem.error_in_stream: the official client throws what the event says', async () => {
    const [hit] = await readTwice(kind, 'sem.error_in_stream', { after_events });
    const told = kind === 'messages' ? { type: 'api_error' } : { code: 'upstream_error' };
    expect(hit.error).toMatchObject({ status: undefined, ...told });
    expect(hit.text).not.toBe('');
  });
});
