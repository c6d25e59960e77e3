import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import type { ExchangeTimeouts } from './call-alarms.ts';
import type { CallClock } from './call-clock.ts';
import { type BodyReader, type Exchanged, exchange } from './exchange.ts';
import { FakeCallClock } from './fake-call-clock.test-support.ts';

const MARKS = { resolvedAt: null, connectedAt: null, securedAt: null, proto: null, tlsNotAfterMs: null };
const NO_LIMITS = { connect_ms: 0, headers_ms: 0, first_token_ms: 0, idle_ms: 0, total_ms: 0 };
const CONTROLLER: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => {},
  pause: () => {},
  resume: () => {},
};
const REQUEST = {
  method: 'POST',
  url: new URL('http://gateway.invalid/v1/chat/completions'),
  headers: {},
  body: null,
  stream: true,
  timeouts: NO_LIMITS,
} as const;

/** A call whose answer the test makes up, piece by piece. */
function opened(
  clock: CallClock,
  reader: BodyReader,
  signal = new AbortController().signal,
  timeouts: ExchangeTimeouts = NO_LIMITS,
) {
  let handler: Dispatcher.DispatchHandler = {};
  const dispatcher: Pick<Dispatcher, 'dispatch'> = {
    dispatch: (_: unknown, given: Dispatcher.DispatchHandler) => {
      handler = given;
      return true;
    },
  };
  const ended: Promise<Exchanged> = exchange(
    { ...REQUEST, timeouts },
    () => reader,
    () => ({ dispatcher, marks: MARKS, destroy: () => {} }),
    clock,
    signal,
  );
  handler.onResponseStart?.(CONTROLLER, 200, {}, 'OK');
  return {
    ended,
    piece: (text: string) => handler.onResponseData?.(CONTROLLER, Buffer.from(text)),
    end: () => handler.onResponseEnd?.(CONTROLLER, {}),
  };
}

function slowReading() {
  let now = 0;
  const clock: CallClock = { wallMs: () => now, monoMs: () => now, after: () => () => {} };
  const taken: string[] = [];
  const reader = (name: string): BodyReader => ({
    state: 'flowing',
    take: (chunk, at) => {
      taken.push(`${name}: ${Buffer.from(chunk).toString()} at ${at}`);
      now += 50;
      return true;
    },
  });
  return { clock, taken, reader };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an exchange', () => {
  it('takes the moment of a piece before it reads that of another call', async () => {
    const { clock, taken, reader } = slowReading();
    const [one, two] = [opened(clock, reader('one')), opened(clock, reader('two'))];
    one.piece('a');
    two.piece('b');
    await turn();
    await turn();
    expect(taken).toEqual(['one: a at 0', 'two: b at 0']);
    one.piece('c');
    one.end();
    two.end();
    expect(taken.at(-1)).toBe('one: c at 100');
    expect((await one.ended).endAt).toBe(100);
    expect(await two.ended).toMatchObject({ endAt: 150, broken: null, bytesIn: 1, chunks: 1 });
  });

  it('reads in a turn of its own, so that what comes for others meanwhile has its moment', async () => {
    const { clock, taken, reader } = slowReading();
    const [one, two, three] = [1, 2, 3].map((n) => opened(clock, reader(`call ${n}`)));
    one?.piece('a');
    two?.piece('b');
    // It comes after the first has been read.
    setImmediate(() => three?.piece('c'));
    await turn();
    await turn();
    await turn();
    expect(taken).toEqual(['call 1: a at 0', 'call 2: b at 0', 'call 3: c at 50']);
  });

  it('is judged in a turn of its own, too', async () => {
    const { clock, reader } = slowReading();
    const [one, two] = [opened(clock, reader('one')), opened(clock, reader('two'))];
    const told: string[] = [];
    void one.ended.then(() => told.push('one'));
    void two.ended.then(() => told.push('two'));
    one.end();
    two.end();
    const turns: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      await turn();
      turns.push(told.length);
    }
    expect(told).toEqual(['one', 'two']);
    expect(turns).toContain(1);
  });

  it('is not idle where a piece came in time and waits to be read', async () => {
    const clock = new FakeCallClock();
    const take = (): boolean => true;
    const one = opened(clock, { state: 'flowing', take }, undefined, { ...NO_LIMITS, idle_ms: 100 });
    clock.advance(99);
    one.piece('a');
    clock.advance(2);
    one.end();
    expect(await one.ended).toMatchObject({ broken: null, bytesIn: 1 });
  });

  it('has read what came when it is cut short', async () => {
    const { clock, taken, reader } = slowReading();
    const controller = new AbortController();
    const one = opened(clock, reader('one'), controller.signal);
    one.piece('a');
    controller.abort();
    expect(taken).toEqual(['one: a at 0']);
    expect(await one.ended).toMatchObject({ bytesIn: 1, broken: { outcome: 'interrupted' } });
  });

  it('ends as broken where its reader fails, and takes nothing else down', async () => {
    const { clock } = slowReading();
    const take = (): boolean => {
      throw new Error('no such text');
    };
    const one = opened(clock, { state: 'waiting', take });
    one.piece('a');
    expect(await one.ended).toMatchObject({ broken: { outcome: 'truncated', message: 'no such text' } });
  });
});
