import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScenarioPlan } from '../contracts/plan.ts';
import { MARKER_PATTERN, markerOf } from '../core/marker.ts';
import { scenarioOf, textOf } from '../workload/plan.test-support.ts';
import {
  largestPromptBytes,
  MARKER_BYTES,
  MEDIA_PROMPT_BYTES,
  markedPrompt,
  planCall,
  utf8Length,
} from './call-plan.ts';

const chat: ScenarioPlan = scenarioOf({ model: 'm/1: a,b@c' });
const edit: ScenarioPlan = {
  ...chat,
  name: 'edits',
  kind: 'image_edit',
  text: null,
  image: { size: '1024x1024', quality: 'low', response_format: 'url', multipart_share: 0.25 },
};

function streamed(share: number, from: number, to: number): number {
  let count = 0;
  const scenario = { ...chat, text: textOf({ stream_share: share, prompt_bytes: 20, max_tokens: 1 }) };
  for (let n = from; n < to; n += 1) if (planCall(1, scenario, n).stream) count += 1;
  return count;
}

describe('planCall', () => {
  it('is a function of seed, scenario and n', () => {
    expect(planCall(1, chat, 7)).toEqual(planCall(1, structuredClone(chat), 7));
    const prompts = [
      planCall(1, chat, 7),
      planCall(2, chat, 7),
      planCall(1, chat, 8),
      planCall(1, { ...chat, name: 'b' }, 7),
    ];
    expect(new Set(prompts.map(({ rest }) => rest)).size).toBe(4);
    expect(planCall(1, chat, 7)).toMatchObject({
      kind: 'chat',
      model: 'm/1: a,b@c',
      max_tokens: 64,
      image: null,
    });
  });

  it('leaves room for the marker and its space', () => {
    expect(`${markerOf('nonce', 'call')} `).toHaveLength(MARKER_BYTES);
    expect(planCall(1, chat, 0).rest).toHaveLength(300 - MARKER_BYTES);
    expect(planCall(1, edit, 0).rest).toHaveLength(MEDIA_PROMPT_BYTES - MARKER_BYTES);
  });

  it.each([
    [0, 0],
    [1, 100],
    [0.5, 50],
    [0.57, 57],
    [0.29, 29],
    [0.01, 1],
    [1 / 4, 25],
  ])('streams a share of %d exactly over the first 100 calls', (share, count) => {
    expect(streamed(share, 0, 100)).toBe(count);
    expect(streamed(share, 900, 1_000)).toBe(count);
  });

  it('holds a share of any fineness over each block of 100 calls', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.nat(200), (millionths, block) => {
        const expected = millionths / 10_000;
        expect(
          Math.abs(streamed(millionths / 1_000_000, 100 * block, 100 * block + 100) - expected),
        ).toBeLessThan(1);
      }),
      { numRuns: 30 },
    );
  });

  it('spreads a round share instead of bunching its calls', () => {
    for (let n = 0; n < 100; n += 2) expect(streamed(0.5, n, n + 2)).toBe(1);
    for (let n = 0; n < 100; n += 5) expect(streamed(0.2, n, n + 5)).toBe(1);
  });

  it('gives messages both credentials, streamed and plain, and other kinds bearer only', () => {
    const messages: ScenarioPlan = { ...chat, kind: 'messages' };
    const mixes = Array.from({ length: 100 }, (_, n) => planCall(1, messages, n)).map(
      ({ stream, auth }) => `${stream} ${auth}`,
    );
    const counts = Object.entries(Object.groupBy(mixes, (mix) => mix)).map(([mix, calls]) => [
      mix,
      calls?.length,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      'true bearer': 25,
      'true x-api-key': 25,
      'false bearer': 25,
      'false x-api-key': 25,
    });
    expect([0, 1, 2, 3].map((n) => planCall(1, chat, n).auth)).toEqual(Array(4).fill('bearer'));
  });

  it('sends the asked share of edits as multipart, and no other kind', () => {
    const multipart = (scenario: ScenarioPlan) =>
      Array.from({ length: 40 }, (_, n) => planCall(1, scenario, n)).filter((call) => call.multipart).length;
    expect(multipart(edit)).toBe(10);
    expect(multipart({ ...edit, kind: 'image_edit_job' })).toBe(10);
    expect(multipart({ ...edit, kind: 'image' })).toBe(0);
    expect(planCall(1, edit, 0)).toMatchObject({ stream: false, max_tokens: null, image: edit.image });
  });
});

const MARKER = markerOf('nonce', 'i0/chat/0/1');
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const promptAt = (scenario: ScenarioPlan, n: number) => markedPrompt(planCall(7, scenario, n), MARKER);

describe.each([2, 3, 4, 5])('one of %d execution segments', (segments) => {
  const CALLS = 4_000;
  const image = { size: '1024x1024', quality: 'low', response_format: 'url', multipart_share: 0.25 } as const;
  const mixed = scenarioOf({
    kind: 'messages',
    abort: { share: 0.3, after_ms: 5, after_events: null },
    text: textOf({ stream_share: 0.5, prompt_bytes: numbers(256).map((i) => 100 + 4 * i) }),
  });
  const parts = numbers(segments).map((first) =>
    numbers(CALLS / segments).map((i) => {
      const n = first + i * segments;
      return { ...planCall(7, mixed, n), multipart: planCall(7, { ...edit, image }, n).multipart };
    }),
  );
  type Call = (typeof parts)[number][number];

  it.each<[string, number, (call: Call) => boolean]>([
    ['streams', 0.5, ({ stream }) => stream],
    ['credentials', 0.5, ({ auth }) => auth === 'x-api-key'],
    ['cuts', 0.3, ({ abort }) => abort !== null],
    ['cut streams', 0.15, ({ abort, stream }) => abort !== null && stream],
    ['multipart edits', 0.25, ({ multipart }) => multipart],
  ])('sees the share of %s', (_, share, chosen) => {
    // Of at least 800 calls a share deviates by 0.018 at most, one standard deviation.
    for (const calls of parts) {
      expect(Math.abs(calls.filter(chosen).length / calls.length - share)).toBeLessThan(0.08);
    }
  });

  it('sees all of a table of sizes', () => {
    for (const calls of parts) {
      const mean = calls.reduce((sum, { rest }) => sum + rest.length + MARKER_BYTES, 0) / calls.length;
      expect(Math.abs(mean / 610 - 1)).toBeLessThan(0.06);
    }
  });
});

describe('the prompt of a planned call', () => {
  it('has exactly its size, whatever it begins and ends with', () => {
    const anyScenario = fc.record({
      prompt_bytes: fc.integer({ min: 20, max: 3_000 }),
      cached_share: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      watermark: fc.constantFrom(null, { modulus: 10, of: 2, first: 1 }, { modulus: 500, of: 1, first: 0 }),
    });
    fc.assert(
      fc.property(anyScenario, fc.nat(10_000), (changes, n) => {
        const scenario = scenarioOf({ text: textOf(changes) });
        const call = planCall(7, scenario, n);
        const prompt = markedPrompt(call, MARKER);
        const least = MARKER_BYTES + 1 + 2 * (call.watermark ?? 0);
        expect(prompt).toHaveLength(Math.max(changes.prompt_bytes, least));
        expect(prompt.length).toBeLessThanOrEqual(largestPromptBytes(scenario));
        expect(MARKER_PATTERN.exec(prompt)?.[0]).toBe(MARKER);
        expect(call.rest.endsWith(`.${' x'.repeat(call.watermark ?? 0)}`)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('begins with its marker where no cache is to match it', () => {
    for (const n of numbers(20)) expect(promptAt(scenarioOf(), n).startsWith(`${MARKER} `)).toBe(true);
  });

  it('begins with the same text in all calls, for the share that a cache can match', () => {
    const sizes = [200, 400, 1_000, 20_000];
    const scenario = scenarioOf({ text: textOf({ cached_share: 0.6, prompt_bytes: sizes }) });
    const prompts = numbers(8).map((n) => promptAt(scenario, n));
    const longest = prompts.find(({ length }) => length === 20_000) ?? '';
    for (const prompt of prompts) {
      const common = prompt.length * 0.6;
      expect(prompt.indexOf(MARKER)).toBe(common);
      expect(prompt.slice(0, common - 1)).toBe(longest.slice(0, common - 1));
      expect(prompt[common - 1]).toBe(' ');
    }
    expect(planCall(8, scenario, 0).lead).not.toBe(planCall(7, scenario, 0).lead);
  });

  it('is a line of the file, in turn or each once in a random order', () => {
    const prompts = ['one', 'zwei größere Wörter', 'three', 'four 🙂 words here', 'five'];
    const shape = { path: '/p', sha256: '', count: 5, max_bytes: Math.max(...prompts.map(utf8Length)) };
    const lines = (order: 'in_turn' | 'random', share: number) =>
      numbers(10).map((n) => {
        const text = textOf({ prompts: { ...shape, order }, cached_share: share });
        const scenario = scenarioOf({ text });
        const { lead, rest } = planCall(7, scenario, n, { prompts });
        expect(utf8Length(lead + rest) + MARKER_BYTES).toBeLessThanOrEqual(largestPromptBytes(scenario));
        return [lead, rest] as const;
      });
    expect(lines('in_turn', 0)).toEqual([...prompts, ...prompts].map((line) => ['', line]));
    expect(lines('in_turn', 0.75).slice(0, 5)).toEqual([
      ['', 'one'],
      ['zwei größere ', 'Wörter'],
      ['', 'three'],
      ['four 🙂 ', 'words here'],
      ['', 'five'],
    ]);
    const random = lines('random', 0).map(([, line]) => line);
    expect(random).not.toEqual([...prompts, ...prompts]);
    expect(random.slice(0, 5).sort()).toEqual([...prompts].sort());
    expect(random.slice(5).sort()).toEqual([...prompts].sort());
    expect(() =>
      planCall(7, scenarioOf({ text: textOf({ prompts: { ...shape, order: 'random' } }) }), 0),
    ).toThrow('expected 5 prompts');
  });
});

describe('a session', () => {
  const session = { turns: [1, 2, 4], think_ms: [10, 20, 30] };
  const scenario = scenarioOf({
    text: textOf({ session, cached_share: 0.5, watermark: { modulus: 8, of: 1, first: 0 } }),
  });

  it('has turns and think times from its tables, and a prompt for each turn', () => {
    const turns = numbers(3).map((n) => planCall(7, scenario, n).turns);
    expect([...turns].sort()).toEqual([1, 2, 4]);
    const long = turns.indexOf(4);
    const calls = [1, 2, 3, 4].map((turn) => planCall(7, scenario, long, { turn }));
    expect(calls.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
    expect(calls.map(({ think_ms }) => think_ms)).toEqual([...Array(3).fill(expect.any(Number)), null]);
    expect(new Set(calls.map(({ rest }) => rest)).size).toBe(4);
    expect(calls.map(({ lead }) => lead === '')).toEqual([false, true, true, true]);
    expect(calls.map(({ watermark }) => watermark !== null)).toEqual([true, false, false, false]);
    expect(new Set(calls.map(({ stream, auth }) => `${stream} ${auth}`)).size).toBe(1);
    expect(() => planCall(7, scenario, long, { turn: 5 })).toThrow('expected a turn from 1 to 4, found 5');
  });

  it('is cut in its last turn', () => {
    const abort = { share: 1, after_ms: 5, after_events: null };
    const calls = [1, 2, 3].map((turn) =>
      planCall(7, scenarioOf({ abort, text: textOf({ session: { turns: 3, think_ms: 0 } }) }), 0, { turn }),
    );
    expect(calls.map((call) => call.abort)).toEqual([null, null, { after_ms: 5, after_events: null }]);
  });
});

describe('deliberate cuts', () => {
  const abort = { share: 0.25, after_ms: null, after_events: 3 };

  it('hold their share over streamed and plain calls, and over both credentials', () => {
    const scenario = scenarioOf({ kind: 'messages', abort, text: textOf({ stream_share: 0.5 }) });
    const calls = numbers(4_000).map((n) => planCall(7, scenario, n));
    for (const stream of [true, false]) {
      const alike = calls.filter((call) => call.stream === stream);
      expect(alike.filter((call) => call.abort !== null)).toHaveLength(500);
      const keyed = alike.filter(({ auth }) => auth === 'x-api-key');
      expect(Math.abs(keyed.filter((call) => call.abort !== null).length - 250)).toBeLessThan(60);
    }
  });

  it('hold it exactly over each hundred calls', () => {
    const scenario = scenarioOf({ abort, text: textOf({ stream_share: 1 }) });
    for (const block of [0, 3, 40]) {
      const cut = numbers(100).filter((n) => planCall(7, scenario, 100 * block + n).abort !== null);
      expect(cut).toHaveLength(25);
    }
  });
});

it('takes sizes and streaming from the trace where it says them', () => {
  const start = { prompt_bytes: 90, max_tokens: 3, stream: false };
  const scenario = scenarioOf({ text: textOf({ stream_share: 1 }) });
  const call = planCall(7, scenario, 0, { start });
  expect(call).toMatchObject({ stream: false, max_tokens: 3 });
  expect(call.rest).toHaveLength(90 - MARKER_BYTES);
  const silent = { prompt_bytes: null, max_tokens: null, stream: null };
  expect(planCall(7, scenario, 0, { start: silent })).toEqual(planCall(7, scenario, 0));
});
