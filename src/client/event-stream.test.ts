import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TEXT_KINDS, type TextKind } from '../core/call-kind.ts';
import { EventStream } from './event-stream.ts';

// The corpus is shared with xk6/wire/corpus_test.go: both sides must read every case alike.
const CORPUS = new URL('../../test/corpus/sse/', import.meta.url);

const text = z.string().nullable();
const count = z.int().nullable();
const corpusCase = z.strictObject({
  note: z.string(),
  kind: z.enum(TEXT_KINDS),
  comments: z.int(),
  pending: z.boolean(),
  events: z.array(z.strictObject({ type: z.string(), data: z.string() })),
  steps: z.array(z.string()),
  result: z.strictObject({
    complete: z.boolean(),
    error_type: text,
    finish: text,
    terminal_seen: z.boolean(),
    usage: z
      .strictObject({
        input: count,
        output: count,
        cache_read: count,
        cache_write: count,
        reasoning: count,
        raw: z.record(z.string(), z.unknown()),
      })
      .nullable(),
    response_id: text,
    response_model: text,
    service_tier: text,
    tools: z.record(z.string(), z.int()).nullable(),
    error_code: text,
    api_error_type: text,
    error_message: text,
    text: z.string(),
    out_chars: z.int(),
    events: z.int(),
  }),
});

const names = readdirSync(CORPUS)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

function read(kind: TextKind, chunks: Iterable<Uint8Array>) {
  const stream = new EventStream(kind);
  const events: unknown[] = [];
  const steps: string[] = [];
  let visible = '';
  for (const chunk of chunks) {
    stream.feed(chunk, (event, step) => {
      events.push(event);
      visible += step.text;
      const piece = step.visible ? 'v' : step.content ? 'c' : '';
      steps.push(`${piece}${step.terminal ? 't' : ''}` || '-');
    });
  }
  return {
    events,
    steps,
    visible,
    comments: stream.comments,
    pending: stream.pending,
    result: stream.result(),
  };
}

const bytes = (source: string) => new TextEncoder().encode(source);

test('the corpus is there', () => {
  expect(names.length).toBeGreaterThanOrEqual(25);
});

describe.each(names)('%s', (name) => {
  const raw = new Uint8Array(readFileSync(new URL(`${name}.txt`, CORPUS)));
  const expected = corpusCase.parse(JSON.parse(readFileSync(new URL(`${name}.json`, CORPUS), 'utf8')));
  const { text: visible, error_type, ...rest } = expected.result;
  const wanted = {
    events: expected.events,
    steps: expected.steps,
    visible,
    comments: expected.comments,
    pending: expected.pending,
    result: {
      ...rest,
      error_type: error_type ?? 'none',
      text_sha256: visible === '' ? null : createHash('sha256').update(visible).digest('hex'),
    },
  };

  test('whole', () => {
    expect(read(expected.kind, [raw])).toEqual(wanted);
  });

  test('cut in two at every byte, and byte by byte', () => {
    const whole = JSON.stringify(read(expected.kind, [raw]));
    for (let cut = 0; cut < raw.length; cut += 1) {
      const parts = JSON.stringify(read(expected.kind, [raw.subarray(0, cut), raw.subarray(cut)]));
      if (parts !== whole) expect(parts, `cut at byte ${cut}`).toBe(whole);
    }
    const single = Array.from(raw, (byte) => Uint8Array.of(byte));
    expect(JSON.stringify(read(expected.kind, single))).toBe(whole);
  });
});

const fragment = fc.constantFrom(
  ...[
    'data',
    ':',
    ' ',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    'event: x',
    'data: [DONE]',
    '\u{FEFF}',
    'é',
    '{',
    'retry: 1',
    '\0',
  ],
  'data: {"choices":[{"delta":{"content":"秤"},"finish_reason":"stop"}]}\n\n',
);

test('however the bytes are cut, they are read alike', () => {
  const input = fc.array(fragment, { maxLength: 12 }).map((parts) => bytes(parts.join('')));
  fc.assert(
    fc.property(input, fc.array(fc.nat(200), { maxLength: 5 }), (raw, cuts) => {
      const edges = [0, ...cuts.map((cut) => Math.min(cut, raw.length)).sort((a, b) => a - b), raw.length];
      const chunks = edges.slice(1).map((edge, i) => raw.subarray(edges[i], edge));
      expect(read('chat', chunks)).toEqual(read('chat', [raw]));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['one chunk', [`data: ${'x'.repeat(100)}\n\n`]],
  ['two chunks', [`data: ${'x'.repeat(80)}`, `${'x'.repeat(20)}\n\n`]],
  ['never ended', [`data: ${'x'.repeat(100)}`]],
  ['many lines', ['data: xxxxxxxx\n'.repeat(20)]],
])('an event above the cap is an outcome, not a crash: %s', (_, chunks) => {
  const stream = new EventStream('chat', 64);
  for (const chunk of chunks) stream.feed(bytes(chunk));
  expect(stream.result().error_type).toBe('stream_oversize');
  stream.feed(bytes('data: [DONE]\n\n'));
  expect(stream.result()).toMatchObject({
    complete: false,
    error_type: 'stream_oversize',
    terminal_seen: false,
  });
  expect(stream.pending).toBe(true);
});

test.each([
  ['', false],
  ['data: x\n\n', false],
  ['data: x\n', true],
  ['d', true],
  ['event: x\n', true],
  [': comm', false],
  [': comment\n', false],
  ['data: x\n: c\n', true],
  ['data: x\r', true],
  ['data: x\r\n', true],
  ['data: x\r\n\r\n', false],
  ['data: x\r\r', false],
  ['\u{FEFF}', false],
  ['\u{FEFF}: c', false],
  ['\n\n', false],
])('pending after %j is %j', (input, pending) => {
  const stream = new EventStream('chat');
  stream.feed(bytes(input));
  expect(stream.pending).toBe(pending);
});

test('a result asked in the middle disturbs nothing', () => {
  const stream = new EventStream('chat');
  const piece = (content: string) =>
    bytes(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  stream.feed(piece('a'));
  expect(stream.result()).toMatchObject({
    out_chars: 1,
    complete: false,
    error_type: 'stream_no_terminator',
  });
  stream.feed(piece('b'));
  expect(stream.result().text_sha256).toBe(createHash('sha256').update('ab').digest('hex'));
});
