import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { storeReplay } from '../app/folder/run-folder.ts';
import { loadConfig } from '../config/load-config.ts';
import type { ConfigFlags } from '../config/settings.ts';
import { LOCAL, REMOTE, resolve } from './plan.test-support.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-replay-'));
afterAll(() => rmSync(dir, { recursive: true }));

const file = join(dir, 'day.csv');
writeFileSync(
  file,
  `at_s,kind,model,prompt_tokens,max_tokens
0,chat,cheap,100,50
0.5,chat,cheap,300,
0.9,image,,,
1.2,chat,cheap,,20
9.5,chat,cheap,100,50
`,
);
const odd = join(dir, 'odd.ndjson');
writeFileSync(
  odd,
  `{"when":1700000003,"on":"dear","max_tokens":0}
{"when":1700000000.5}
{"when":1700000001,"kind":"video","on":"films"}
`,
);
const trace = (more = '') => `trace: { file: ${file}${more} }\n`;

describe('a trace', () => {
  it('gives the scenarios by kind and model, their starts, and the duration', () => {
    const { plan, replay, notes } = resolve(trace(), LOCAL);
    expect(plan.workload.duration_ms).toBe(10_000);
    const [chat, image] = plan.workload.scenarios;
    expect(chat).toMatchObject({ kind: 'chat', model: 'cheap', max_in_flight: 50 });
    expect(chat?.arrival).toMatchObject({
      stages: [{ duration_ms: 10_000, from_millirate: 0, to_millirate: 0 }],
      trace: { file: 'trace.ndjson', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), calls: 4 },
    });
    expect(image).toMatchObject({ kind: 'image', model: 'pictures', arrival: { trace: { calls: 1 } } });
    expect(replay?.trace.split('\n').filter((line) => line !== '')).toHaveLength(5);
    expect(notes).toEqual([]);
    expect(resolve('traffic: [{kind: chat, rate: 1/s}]').replay).toBeNull();
  });

  it('is forecast by its own sizes, and by those of the configuration where it has none', () => {
    const [chat] = resolve(trace(', prompt_tokens: 200, max_tokens: 40')).forecast.scenarios;
    expect(chat).toMatchObject({ calls: 4, input_tokens: 700, output_tokens: 50 + 40 + 20 + 50 });
    const worst = Number(resolve(trace()).forecast.scenarios[0]?.worst_case_usd);
    // The largest prompt, 1,500 bytes, for each of four calls.
    expect(worst).toBeCloseTo(4 * ((1_500 + 1_024) * 1e-7 + 8_192 * 4e-7 + 1e-6), 9);
  });

  it('is replayed faster by its speed and by the scale of rates', () => {
    const fast = resolve(trace(', speed: 2.5'), { rateScale: '2' });
    expect(fast.plan.workload.duration_ms).toBe(2_000);
    expect(fast.replay?.trace).toContain('"at_us":1900000');
  });

  it('lasts no longer than to the next second, and than by a mean gap after its last start', () => {
    const lasting = (times: readonly number[], more = '') => {
      const own = join(mkdtempSync(join(tmpdir(), 'weighbridge-length-')), 'own.ndjson');
      writeFileSync(own, times.map((at_ms) => `{"at_ms":${at_ms},"model":"cheap"}\n`).join(''));
      return resolve(`trace: { file: ${own}${more} }\n`, LOCAL).plan.workload.duration_ms;
    };
    expect(lasting([0, 2_000, 4_000, 8_000])).toBe(9_000);
    expect(lasting([0, 500, 1_000])).toBe(1_500);
    expect(lasting([0, 1_000, 2_000, 3_000, 4_001], ', speed: 2')).toBe(2_502);
    expect(lasting([500])).toBe(1_000);
    expect(lasting([0, 0])).toBe(1_000);
    expect(lasting([0, 1, 2])).toBe(3);
  });

  it('ends with the duration that is asked for', () => {
    const { plan, notes } = resolve(trace(), { duration: '5s' });
    expect(plan.workload).toMatchObject({
      duration_ms: 5_000,
      scenarios: [{ arrival: { trace: { calls: 3 } } }, {}],
    });
    expect(notes).toEqual(['1 starts of the trace are behind the end of the run and left out']);
    expect(() => resolve(`warm_up: 9s\ncool_down: 1s\n${trace()}`)).toThrow('shorter than the trace, 10 s');
    expect(() => resolve(`warm_up: 9s\n${trace()}`)).not.toThrow();
  });

  it('is refused where it is longer than a run may be', () => {
    const long = `trace: { file: ${odd}, columns: { at_s: when, model: on } }\n`;
    expect(() => resolve(long)).toThrow('must end within 31 days');
    expect(() => resolve(long)).toThrow('a start at 1700000003000 ms');
  });

  it('plans other calls where its content differs', () => {
    const hashes = [trace(), trace(', speed: 2'), trace(', max_tokens: 9')].map(
      (yaml) => resolve(yaml).plan.plan_hash,
    );
    expect(new Set(hashes).size).toBe(3);
  });

  it.each<[string, string, ConfigFlags]>([
    ['as it is', trace(), {}],
    [
      'faster, scaled and cut',
      `warm_up: 1s\n${trace(', speed: 1.5, max_in_flight: 7')}`,
      { rateScale: '0.7', duration: '8s' },
    ],
    [
      'of other columns',
      `trace: { file: ${odd}, model: cheap, kind: responses, columns: { timestamp: when, model: on } }\n`,
      {},
    ],
  ])('is repeated from the run folder alone: %s', (_, yaml, flags) => {
    const first = resolve(yaml, { ...LOCAL, ...flags });
    const folder = mkdtempSync(join(dir, 'run-'));
    if (first.replay !== null) storeReplay(folder, first.replay);
    const stored = join(folder, 'config.yaml');
    expect(readFileSync(stored, 'utf8')).toContain('\n  file: trace.ndjson\n');
    const config = loadConfig({ file: stored, env: {}, flags: {} });
    const second = resolve('', {}, { config });
    expect(second.plan).toEqual({ ...first.plan, target: second.plan.target });
    expect(second.replay?.trace).toBe(first.replay?.trace);
    expect(second.forecast).toEqual(first.forecast);
  });

  it('needs a permission for the most starts within a second', () => {
    const own = (more: string) => () => resolve(`${more}${trace(', max_in_flight: 2')}`, REMOTE);
    // Three starts between 0 and 0.9 s.
    expect(own('')).toThrow('reaches 3/s and 4 calls in flight');
    expect(
      own('target: {permission: {by: ops, until: 2026-12-31, max_rps: 3, max_in_flight: 4}}\n'),
    ).not.toThrow();
    expect(own('retry: {max_attempts: 2}\n')).toThrow('reaches 6/s');
  });
});
