import { Buffer } from 'node:buffer';
import { constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEXT_KINDS } from '../../../core/call-kind.ts';
import { FaultBench, type TriedFault, WHOLE } from '../fault-bench.test-support.ts';
import type { FaultEntry } from '../fault-plan.ts';
import { sentEvents, textPieces } from '../sent-events.test-support.ts';

let bench: FaultBench;

beforeAll(async () => {
  bench = await FaultBench.start();
});
afterAll(() => bench.close());

type Row = readonly [
  fault: string,
  parameters: FaultEntry['parameters'],
  look: (tried: TriedFault, body: string) => void,
];

/** Streams that carry the same events in other bytes, or at other times. */
const SAME_EVENTS: readonly Row[] = [
  ['net.crlf', {}, (_tried, body) => expect(body).not.toMatch(/[^\r]\n|\r[^\n]/)],
  ['net.cr', {}, (_tried, body) => expect(body).toMatch(/^[^\n]+\r\r$/)],
  ['net.bom', {}, ({ hit }) => expect(hit.raw.body.subarray(0, 3).toString('hex')).toBe('efbbbf')],
  ['net.nospace', {}, (_tried, body) => expect(body).not.toMatch(/^(data|event): /m)],
  ['net.multiline_data', {}, (_tried, body) => expect(body).toMatch(/^data: \{\ndata: {2}"/m)],
  ['net.slice', { max_bytes: 3 }, ({ hit }) => expect(largest(hit.raw.chunks)).toBe(3)],
  [
    'net.coalesce',
    { events: 4 },
    ({ hit, right }) => {
      const events = hit.raw.chunks.map((chunk) => sentEvents(chunk).length);
      expect(events.slice(0, -1).filter((count) => count % 4 !== 0)).toEqual([]);
      expect(hit.journal.events).toBe(right.journal.events);
    },
  ],
  [
    'net.drip',
    { bytes: 200, every_ms: 2 },
    ({ hit }) => {
      expect(largest(hit.raw.chunks)).toBe(200);
      expect(hit.raw.lastByte_ms).toBeGreaterThan(2 * (hit.raw.body.length / 200 - 1));
    },
  ],
  [
    'net.ttft',
    { distribution: 'fixed', ms: 60, spread: 0.5 },
    ({ hit }) => {
      expect(hit.raw.body_ms).toBeGreaterThan(60);
    },
  ],
  [
    'net.stall',
    { after_events: 3, silent_ms: 500 },
    ({ hit }) => {
      const before = hit.raw.chunks.map((_chunk, index) => eventsIn(hit.raw.chunks.slice(0, index + 1)));
      expect(before).toContain(3);
      expect(hit.raw.lastByte_ms).toBeGreaterThan(500);
    },
  ],
  [
    'net.comments',
    { every_ms: 1 },
    ({ hit, right }, body) => {
      expect(body.startsWith(': PING\n\n')).toBe(true);
      expect(hit.journal.events).toBe(right.journal.events);
    },
  ],
  [
    'net.slow_close',
    { open_ms: 60 },
    ({ hit }) => {
      // The journal's time starts later than the client's: what lies between the two ends is no less than this.
      expect(hit.raw.end_ms - hit.journal.end_ms).toBeGreaterThan(59);
      expect(hit.raw.lastByte_ms).toBeLessThan(hit.raw.end_ms);
    },
  ],
];

describe.each(TEXT_KINDS)('%s', (kind) => {
  test.each(SAME_EVENTS)('%s %j: the same events, and the whole charge', async (fault, parameters, look) => {
    const tried = await severalWrites(1, () => bench.try({ fault, parameters, kind }));
    const { hit, right } = tried;
    look(tried, hit.raw.body.toString());
    expect(hit.raw).toMatchObject({ status: 200, complete: true, end: 'fin' });
    expect(hit.events.map(({ type }) => type)).toEqual(right.events.map(({ type }) => type));
    expect(hit.pieces).toEqual(right.pieces);
    expect(hit.terminators).toBe(1);
    expect(tried.fault.delta).toBe('0');
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
  });

  test('net.no_flush: the head waits for the first event', async () => {
    const { hit, right, fault } = await bench.try({ fault: 'net.no_flush', kind });
    expect(hit.raw.head_ms).toBe(hit.raw.body_ms);
    expect(hit.text).toBe(right.text);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('net.split_utf8: a letter comes in two writes, and the charge is that of the text', async () => {
    const { hit, right, fault } = await bench.try({ fault: 'net.split_utf8', kind });
    const cut = hit.raw.chunks.filter((chunk) => (chunk.at(-1) ?? 0) >= 0xc0);
    expect(cut.length).toBeGreaterThan(0);
    expect(hit.text).toMatch(/[^\p{ASCII}\ufffd]/u);
    expect(hit.pieces).toHaveLength(right.pieces.length);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });

  test('net.gzip_stream: said in the head, flushed with the events, whole when decoded', async () => {
    const over = kind === 'responses' ? { max_output_tokens: 60 } : { max_tokens: 60 };
    const { hit, right, fault } = await severalWrites(2, () =>
      bench.try({ fault: 'net.gzip_stream', kind, over }),
    );
    expect(hit.raw.headers['content-encoding']).toBe('gzip');
    expect(textPieces(kind, sentEvents(gunzipSync(hit.raw.body)))).toEqual(right.pieces);
    const beforeLast = Buffer.concat(hit.raw.chunks.slice(0, -1));
    const flushed = gunzipSync(beforeLast, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    expect(flushed.endsWith('\n\n')).toBe(true);
    expect(hit.record).toMatchObject({ ...WHOLE, amount: right.record.amount });
    expect(fault.delta).toBe('0');
  });
});

test('net.split_utf8 keeps the tokens of every rule and of every cut', async () => {
  for (const model of ['aspen-mini', 'aspen-nano', 'heath,large=v2', "kelp's finest"]) {
    const over = { model, max_tokens: 24 };
    const { hit, right } = await bench.try({ fault: 'net.split_utf8', kind: 'chat', over });
    expect(hit.record.output_tokens).toBe(right.record.output_tokens);
    expect(hit.text).not.toBe(right.text);
  }
});

test('net.ttft draws its delay anew for each call, the same for the same seed', async () => {
  const parameters = { distribution: 'uniform', ms: 30, spread: 1 };
  const { hit } = await bench.try({ fault: 'net.ttft', parameters, kind: 'chat' });
  expect(hit.raw.body_ms).toBeGreaterThan(0);
  const lognormal = { distribution: 'lognormal', ms: 30, spread: 0.2 };
  const drawn = await bench.try({ fault: 'net.ttft', parameters: lognormal, kind: 'chat' });
  expect(drawn.hit.raw.body_ms).toBeGreaterThan(10);
});

/** A try of whose stream more than so much was written for itself: where the gateway is late, all events are due at once. */
async function severalWrites(most: number, attempt: () => Promise<TriedFault>): Promise<TriedFault> {
  let tried = await attempt();
  for (let left = 20; tried.hit.raw.chunks.length <= most && left > 0; left -= 1) tried = await attempt();
  return tried;
}

function largest(chunks: readonly Uint8Array[]): number {
  return Math.max(...chunks.map(({ length }) => length));
}

function eventsIn(chunks: readonly Uint8Array[]): number {
  return sentEvents(Buffer.concat(chunks)).length;
}
