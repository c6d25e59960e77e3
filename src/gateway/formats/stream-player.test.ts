import { EventEmitter } from 'node:events';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { TimerWheel } from '../time/timer-wheel.ts';
import { KEEP_ALIVE_MS, playStream, type StreamEnd, type StreamFrame } from './stream-player.ts';
import type { CutManner } from './stream-sink.ts';
import { ResponseSink, type StreamSink } from './stream-sink.ts';

/** What the player uses of a response; `full` answers false to the writes it names. */
class FakeResponse extends EventEmitter {
  readonly writes: { text: string; at: number }[] = [];
  finished = false;
  full: (text: string) => boolean = () => false;

  write(text: string): boolean {
    this.writes.push({ text, at: performance.now() });
    return !this.full(text);
  }
  end(text: string): void {
    this.writes.push({ text, at: performance.now() });
    this.finished = true;
  }
}

function asResponse(fake: FakeResponse): ServerResponse {
  const response: unknown = fake;
  if (!isResponse(response)) throw new TypeError('not a response');
  return response;
}

/** The player touches no more of a response than FakeResponse has. */
function isResponse(value: unknown): value is ServerResponse {
  return value instanceof FakeResponse;
}

const noHooks = { cutNow: () => null, beforeLast: () => {}, wrote: () => {}, beforeEnd: () => null };

function* framesAt(start: number, delays: readonly number[]): Generator<StreamFrame, undefined> {
  for (const [index, delay] of delays.entries()) {
    yield { text: `f${index}`, due_ms: start + delay, hasText: true, last: index === delays.length - 1 };
  }
  return undefined;
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

describe('timing, on a clock of its own', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function play(
    fake: FakeResponse,
    delays: readonly number[],
    hooks: Partial<Parameters<typeof playStream>[2]> = {},
  ) {
    const clock = systemClock();
    const start = clock.monoMs();
    const wheel = new TimerWheel(clock);
    const raw = asResponse(fake);
    const parts = { raw, sink: new ResponseSink(raw, { clock, wheel }), clock, wheel };
    const end = playStream(parts, framesAt(start, delays), { ...noHooks, ...hooks });
    return { start, end };
  }

  test('a comment breaks each 10 s of silence, and no event waits for it', async () => {
    const fake = new FakeResponse();
    const { start, end } = play(fake, [0, 25_000]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await end).toBe('finished');
    const seen = fake.writes.map(({ text, at }) => [text, Math.round((at - start) / 1000)]);
    expect(seen).toEqual([
      ['f0', 0],
      [': PING\n\n', KEEP_ALIVE_MS / 1000],
      [': PING\n\n', (2 * KEEP_ALIVE_MS) / 1000],
      ['f1', 25],
    ]);
  });

  test('writing waits for a slow reader, whose time is not counted as lateness', async () => {
    const fake = new FakeResponse();
    fake.full = (text) => text === 'f1';
    const lateness: number[] = [];
    const { end } = play(fake, [10, 20, 30, 40], { wrote: (_frame, late) => lateness.push(late) });
    await vi.advanceTimersByTimeAsync(1000);
    expect(fake.writes.map(({ text }) => text)).toEqual(['f0', 'f1']);
    fake.emit('drain');
    expect(fake.writes.map(({ text }) => text)).toEqual(['f0', 'f1', 'f2f3']);
    expect(await end).toBe('finished');
    expect(fake.finished).toBe(true);
    expect(Math.max(...lateness)).toBeLessThan(5);
  });

  test('the end is settled right before the terminator', async () => {
    const fake = new FakeResponse();
    let writtenBefore = -1;
    play(fake, [1, 2, 3], {
      beforeLast: () => {
        writtenBefore = fake.writes.length;
      },
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(writtenBefore).toBe(2);
    expect(fake.writes).toHaveLength(3);
  });

  test('a client that leaves ends the stream, also when it waits for drain', async () => {
    const fake = new FakeResponse();
    fake.full = () => true;
    const { end } = play(fake, [1, 2, 3]);
    await vi.advanceTimersByTimeAsync(100);
    fake.emit('close');
    expect(await end).toBe('client_left');
    fake.emit('drain');
    expect(fake.writes).toHaveLength(1);
  });
});

describe('cuts, over a real socket', () => {
  /** What a client gets of a stream that is cut before its third event, and whether HTTP ended properly. */
  async function cutStream(manner: CutManner): Promise<{ body: string; complete: boolean; end: StreamEnd }> {
    const clock = systemClock();
    const wheel = new TimerWheel(clock);
    let written = 0;
    const ended = Promise.withResolvers<StreamEnd>();
    const server = createServer((_request, raw) => {
      raw.writeHead(200);
      const hooks = {
        cutNow: () => (written >= 2 ? manner : null),
        beforeLast: () => {},
        wrote: () => {
          written += 1;
        },
        beforeEnd: () => null,
      };
      const sink = new ResponseSink(raw, { clock, wheel });
      playStream({ raw, sink, clock, wheel }, framesAt(clock.monoMs(), [1, 2, 3, 4]), hooks).then(
        ended.resolve,
        ended.reject,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const received = await receive(portOf(server.address()));
      return { ...received, end: await ended.promise };
    } finally {
      server.closeAllConnections();
      server.close();
      wheel.close();
    }
  }

  function receive(port: number): Promise<{ body: string; complete: boolean }> {
    return new Promise((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1' }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.on('error', () => {});
        response.on('close', () => resolve({ body, complete: response.complete }));
      })
        .on('error', reject)
        .end();
    });
  }

  test('eof ends the response properly, without the rest', async () => {
    expect(await cutStream('eof')).toEqual({ body: 'f0f1', complete: true, end: 'cut' });
  });

  test('fin delivers what was written and leaves the response open-ended', async () => {
    expect(await cutStream('fin')).toEqual({ body: 'f0f1', complete: false, end: 'cut' });
  });
});

describe('a client that reads nothing', () => {
  /** 128 MB, all of it due at once. */
  const FRAMES = 2000;
  const text = `data: ${'x'.repeat(65_536)}\n\n`;

  function* everythingNow(): Generator<StreamFrame, undefined> {
    for (let index = 0; index < FRAMES; index += 1) {
      yield { text, due_ms: 0, hasText: true, last: index === FRAMES - 1 };
    }
    return undefined;
  }

  test('makes the gateway hold no more than one write, and gets no more when it leaves', async () => {
    const clock = systemClock();
    const wheel = new TimerWheel(clock);
    let written = 0;
    let settled = false;
    const full = Promise.withResolvers<ServerResponse>();
    const ended = Promise.withResolvers<StreamEnd>();
    const server = createServer((_request, raw) => {
      raw.writeHead(200);
      const direct = new ResponseSink(raw, { clock, wheel });
      const sink: StreamSink = {
        write: (bytes) => direct.write(bytes),
        onceDrained: (resume) => {
          direct.onceDrained(resume);
          // The kernel takes some megabytes by itself; what does not fit there waits in the process.
          setImmediate(() => raw.writableLength > 0 && full.resolve(raw));
        },
        end: (bytes, done) => direct.end(bytes, done),
        cut: (manner) => direct.cut(manner),
        later: (ms, action) => direct.later(ms, action),
      };
      const hooks = {
        ...noHooks,
        beforeLast: () => {
          settled = true;
        },
        wrote: () => {
          written += 1;
        },
      };
      playStream({ raw, sink, clock, wheel }, everythingNow(), hooks).then(ended.resolve, ended.reject);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect(portOf(server.address()), '127.0.0.1');
    client.pause();
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    try {
      const raw = await full.promise;
      expect(raw.writableLength).toBeLessThan(4 * text.length);
      const before = written;
      expect(before).toBeLessThan(FRAMES / 2);
      client.destroy();
      expect(await ended.promise).toBe('client_left');
      expect(written - before).toBeLessThan(200);
      expect(settled).toBe(false);
    } finally {
      server.closeAllConnections();
      server.close();
      wheel.close();
    }
  });
});

test('the terminator waits for what must be done before the client has it', async () => {
  const clock = systemClock();
  const wheel = new TimerWheel(clock);
  const fake = new FakeResponse();
  const raw = asResponse(fake);
  const done = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const beforeEnd = (): Promise<void> => {
    asked.resolve();
    return done.promise;
  };
  const parts = { raw, sink: new ResponseSink(raw, { clock, wheel }), clock, wheel };
  const end = playStream(parts, framesAt(clock.monoMs(), [0, 0]), { ...noHooks, beforeEnd });
  await asked.promise;
  expect(fake.finished).toBe(false);
  done.resolve();
  expect(await end).toBe('finished');
  expect(fake.finished).toBe(true);
  wheel.close();
});
