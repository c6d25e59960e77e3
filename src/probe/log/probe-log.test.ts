import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FORMS, plantedSecret } from '../../client/secrets/planted.test-support.ts';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { probeOf, rowOf, runOf } from '../view/daemon-view.test-support.ts';
import { ProbeLog } from './probe-log.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const line = z.looseObject({ level: z.string(), msg: z.string() });

function setUp(...planted: readonly string[]): { log: ProbeLog; lines: string[]; secrets: SecretValues } {
  const lines: string[] = [];
  const secrets = new SecretValues();
  for (const secret of planted) secrets.add(secret);
  const sink = { write: (text: string) => lines.push(text) };
  return { log: new ProbeLog({ sink, secrets, level: 'debug', now: () => NOW }), lines, secrets };
}

/** Places in which a secret may come to a log call. */
const PLACES: readonly ((log: ProbeLog, text: string) => void)[] = [
  (log, text) => log.info(text),
  (log, text) => log.debug('x', { a: { b: [{ c: { Authorization: `Bearer ${text}` } }] } }),
  (log, text) => log.warn('x', { [text]: { [`${text}-key`]: 1 } }),
  (log, text) => log.error('x', new Error(text)),
  (log, text) => log.error('x', new Error('outer', { cause: new TypeError(text, { cause: text }) })),
  (log, text) => log.error('x', new AggregateError([new Error(text), text], 'all')),
  (log, text) =>
    log.error('x', Object.assign(new Error('x'), { config: { headers: { 'x-api-key': text } } })),
  (log, text) => log.error('x', { toString: () => text, thrown: text }),
  (log, text) => log.error('x', text),
  (log, text) =>
    log.info('x', {
      when: new Date(0),
      bytes: Buffer.from(text),
      url: new URL(`http://h/?k=${encodeURIComponent(text)}`),
    }),
  (log, text) => log.info('x', { map: { toJSON: () => ({ text }) } }),
  (log, text) =>
    log.run(probeOf({}), runOf({ error_type: 'unauthorized', why: `refused ${text}`, request_id: text })),
];

describe('ProbeLog', () => {
  it('writes one line of JSON a run, with its figures', () => {
    const { log, lines } = setUp();
    const row = rowOf({
      outcome: 'ok',
      usage: {
        input: 12,
        output: 3,
        cache_read: 0,
        cache_write: null,
        reasoning: null,
        raw: { note: 'as served' },
      },
    });
    const phases = { resolve: null, connect: 1.04, tls: 2.26, send: 0.1, wait: 300.123, transfer: 40 };
    log.run(
      probeOf({ name: 'chat-aspen', prompt: 'Say the word mill.' }),
      runOf({
        probe: 'chat-aspen',
        duration_ms: 343.71,
        request_id: 'req_1',
        rows: [row],
        phases,
        spend: { reserved: 5_000_000_000n, priced: 42_000_000n },
      }),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    expect(line.parse(JSON.parse(lines[0] ?? ''))).toMatchObject({
      level: 'info',
      time: '2026-11-20T10:00:00.000Z',
      msg: 'run',
      target: 'main',
      probe: 'chat-aspen',
      api: 'chat',
      model: 'aspen-mini',
      outcome: 'ok',
      error_type: 'none',
      request_id: 'req_1',
      duration_ms: 343.7,
      phases_ms: { resolve: null, connect: 1, tls: 2.3, wait: 300.1 },
      tokens: { input: 12, output: 3, cache_read: 0, cache_write: null, reasoning: null },
      cost: { reserved_usd: '0.005', priced_usd: '0.000042' },
    });
    expect(lines[0]).not.toMatch(/Say the word|as served/);
  });

  it('warns of a run that failed', () => {
    const { log, lines } = setUp();
    log.run(
      probeOf({}),
      runOf({ error_type: 'timeout_headers', blame: 'gateway', why: 'no answer in 10 s' }),
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      blame: 'gateway',
      why: 'no answer in 10 s',
    });
  });

  it('lets no secret out, wherever and however it stands', () => {
    const secret = plantedSecret;
    const place = fc.constantFrom(...PLACES);
    const form = fc.constantFrom(...Object.values(FORMS));
    fc.assert(
      fc.property(secret, place, form, (value, put, write) => {
        const { log, lines } = setUp(value);
        put(log, `a ${write(value)} b`);
        expect(lines).toHaveLength(1);
        const out = lines.join('');
        line.parse(JSON.parse(out));
        for (const shape of Object.values(FORMS)) expect(out).not.toContain(shape(value));
        expect(decoded(out)).not.toContain(value);
      }),
      { seed: 7, numRuns: 400 },
    );
  });

  it('hides a secret that was loaded after the log was opened', () => {
    const { log, lines, secrets } = setUp();
    secrets.add('sk-late-012345');
    log.info('with sk-late-012345');
    expect(lines.join('')).not.toContain('sk-late');
  });

  it('writes its causes with an error', () => {
    const { log, lines } = setUp();
    log.error('cannot read', new Error('outer', { cause: new Error('the root of it') }));
    expect(lines.join('')).toContain('the root of it');
  });

  it('writes a line of JSON where a secret of digits stood as a number', () => {
    const { log, lines } = setUp('123456789012');
    log.info('x', { count: 123_456_789_012, rest: true });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: 'x', count: '***', rest: true });
    expect(lines.join('')).not.toContain('123456789012');
  });

  it('outlives what cannot be written', () => {
    const { log, lines } = setUp();
    const round: Record<string, unknown> = { big: 3n };
    round['self'] = round;
    log.info('x', round);
    log.info('y', {
      toJSON: () => {
        throw new Error('no');
      },
    });
    log.info('z', {
      part: {
        toJSON: () => {
          throw new Error('no');
        },
      },
    });
    expect(lines).toHaveLength(3);
    for (const text of lines) line.parse(JSON.parse(text));
  });
});

/** Every text of a line as a reader of the JSON sees it. */
function decoded(text: string): string {
  const parts: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    parts.push(key, String(value));
    return value;
  });
  return parts.join('\n');
}
